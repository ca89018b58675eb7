/** The parameters that the wallet adds to our address when it sends the shopper back; missing ones are empty. */
export type WalletReturn = {
  pidx: string
  txnId: string
  purchase_order_id: string
  purchase_order_name: string
}

const NAMES = ['pidx', 'txnId', 'purchase_order_id', 'purchase_order_name'] as const

export function parseWalletReturn(query: string): WalletReturn {
  const given = new URLSearchParams(query)
  const value = (name: string) => given.get(name)?.trim() ?? ''
  return {
    pidx: value('pidx'),
    // The wallet uses three names for the transaction id and does not always send the first.
    txnId: value('txnId') || value('transaction_id') || value('tidx'),
    purchase_order_id: value('purchase_order_id'),
    purchase_order_name: value('purchase_order_name'),
  }
}

type HistoryState = { payment?: WalletReturn } | null

/** Reads the parameters from the address, or after a reload from the history entry (`hideWalletReturn`). */
export function readWalletReturn(): WalletReturn {
  const { search } = window.location
  return (!search && (window.history.state as HistoryState)?.payment) || parseWalletReturn(search)
}

/**
 * Removes the parameters from the address, so that they appear neither in the history nor on a shared screen. They are
 * stored with this history entry: a reload shows the same payment, and another visit to the page does not.
 */
export function hideWalletReturn(returned: WalletReturn) {
  const { pathname, search } = window.location
  if (!search) return
  const payment = Object.fromEntries(NAMES.map((name) => [name, returned[name]]))
  window.history.replaceState({ ...window.history.state, payment }, '', pathname)
}
