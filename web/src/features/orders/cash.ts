/** How the contract calls cash on delivery. */
export const CASH = 'COD'
