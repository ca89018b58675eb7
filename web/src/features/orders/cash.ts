/** The specification's name for cash on delivery. */
export const CASH = 'COD'
