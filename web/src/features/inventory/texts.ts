/** What a refused or failed change says. */
export const SAVE_TEXTS = {
  refused: 'seller.inventory.notSaved',
  broken: 'seller.inventory.notSaved',
} as const
