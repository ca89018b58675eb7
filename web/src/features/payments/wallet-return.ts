/** What the wallet writes behind our address when it sends somebody back; what is missing is empty. */
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
    // The wallet has three names for it and does not always send the first.
    txnId: value('txnId') || value('transaction_id') || value('tidx'),
    purchase_order_id: value('purchase_order_id'),
    purchase_order_name: value('purchase_order_name'),
  }
}

type HistoryState = { payment?: WalletReturn } | null

/** From the address, or after a reload from where `hideWalletReturn` has put it. */
export function readWalletReturn(): WalletReturn {
  const { search } = window.location
  return (!search && (window.history.state as HistoryState)?.payment) || parseWalletReturn(search)
}

/**
 * Out of the address, so that it stays neither in the history nor on a shared screen. Kept beside this very entry of the
 * history: a reload shows the same payment, and another visit to the page has nothing to do with it.
 */
export function hideWalletReturn(returned: WalletReturn) {
  const { pathname, search } = window.location
  if (!search) return
  const payment = Object.fromEntries(NAMES.map((name) => [name, returned[name]]))
  window.history.replaceState({ ...window.history.state, payment }, '', pathname)
}
