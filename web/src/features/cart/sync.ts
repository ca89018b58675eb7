import { ApiError } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { signOutHooks } from '@/features/accounts/session'
import { handleSessionEnded } from '@/features/accounts/sign-in-out'
import { type CartResponse, cartApi, type DroppedProduct } from '@/features/cart/api'
import { type Cart, cartStore, sanitizeCart } from '@/features/cart/cart-store'
import { droppedText } from '@/features/cart/dropped-text'
import { applyLocalChanges, mergeCarts, sameCart, subtractItems } from '@/features/cart/merge'
import { addNotice, cartNotices, serverCart } from '@/features/cart/notices'
import { readSyncedCart, writeSyncedCart } from '@/features/cart/synced-cart'
import { catalogueQueries } from '@/features/catalogue/api'
import { type RawText, t } from '@/lib/i18n'
import { toast } from '@/ui/toast'

/** Quick presses on + become one request. */
const DEBOUNCE_MS = 250
const RETRY_FIRST_MS = 2_000
const RETRY_MAX_MS = 60_000

// clear-user-cart.ts clears the storage; this clears the state in this page's memory.
signOutHooks.add(() => {
  if (readSyncedCart()) cartStore.replaceFromServer({})
  writeSyncedCart(null)
  serverCart.set(null)
  cartNotices.set([])
})

/** The running sync, so that an order can wait until its last change has been saved. */
let current: { settle: () => Promise<void>; reload: () => Promise<void> } | null = null

/** Resolves when the cart has been saved, or cannot be saved now. */
export const flushCart = () => current?.settle() ?? Promise.resolve()

/** Loads the cart again after the server has changed it; changes made here in the meantime stay. */
export const reloadCart = () => current?.reload() ?? Promise.resolve()

/**
 * Keeps the device's cart and the server's the same for a signed-in shopper, until the returned function is called.
 *
 * The server's cart is loaded once; then every change is saved, one request at a time, always the whole current cart.
 * Failures are retried with a growing delay, and each outage shows one message.
 *
 * Several tabs share the device's cart through storage, and a tab saves only its own changes. If the changing tab is
 * closed before it has saved, the difference to the synced cart (synced-cart.ts) remains for the tab that saves or
 * loads next. When two tabs save at the same time, the older cart may arrive last; its tab then notices that the cart
 * differs from what it sent, and sends the current one. All tabs therefore end with the shopper's last change.
 */
export function startCartSync(user: string): () => void {
  let stopped = false
  let loaded = false
  let failures = 0
  let errorShown = false
  /** The server's cart contains products that are no longer sold, so it must be saved although nothing differs here. */
  let saveNeeded = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | null = null

  const pending = () => !loaded || saveNeeded || !sameCart(cartStore.read(), readSyncedCart()?.items ?? {})

  const run = (): Promise<void> => {
    clearTimeout(timer)
    // Nothing can be sent without a network, and the bar under the header already says so.
    if (stopped || !navigator.onLine) return Promise.resolve()
    running ??= attempt().finally(() => {
      running = null
    })
    return running
  }

  const attempt = async () => {
    const loading = !loaded
    try {
      if (loading) await load()
      else await save()
      failures = 0
      errorShown = false
      if (!stopped && pending()) later(loading ? 0 : DEBOUNCE_MS)
    } catch (error) {
      if (stopped || handleSessionEnded(error)) return
      const refused = error instanceof ApiError
      if (!errorShown) {
        toast.error(
          loading
            ? refused
              ? 'cart.fetchFailed'
              : 'cart.fetchError'
            : refused
              ? 'cart.updateFailed'
              : 'cart.updateError',
        )
      }
      errorShown = true
      failures += 1
      // A cart that the server rejects as invalid is not sent again before its next change.
      if (refused && error.status === 422) return
      later(Math.min(RETRY_FIRST_MS * 2 ** (failures - 1), RETRY_MAX_MS))
    }
  }

  const later = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => void run(), ms)
  }

  const load = async () => {
    const answer = await cartApi.load()
    const server = withoutDropped(answer)
    const synced = readSyncedCart()
    const mine = synced?.user === user
    // A cart without an owner is a visitor's and is merged; another shopper's cart is ignored.
    const onDevice = () => (synced && !mine ? {} : withoutDropped({ ...answer, data: cartStore.read() }))
    const local = onDevice()
    const stock = mine || isEmpty(local) ? new Map() : await stockOf({ ...local, ...server })
    if (stopped) return
    // The cart is read again, because the shopper may have changed it while the stock was fetched.
    const device = onDevice()
    const next = mine ? applyLocalChanges(synced.items, device, server) : mergeCarts(device, server, stock)
    writeSyncedCart({ user, items: server })
    loaded = true
    serverCart.set({ items: server, quote: answer.quote, at: Date.now() })
    // An empty device takes over the server's cart as it is, so there is no change to save.
    cartStore.replaceFromServer(isEmpty(device) && !mine ? server : next)
    if (!mine && !isEmpty(device) && !isEmpty(server) && !sameCart(device, server)) {
      addNotice({ kind: 'merged' })
      toast.success('cart.merged')
    }
    if (answer.dropped.length > 0) {
      saveNeeded = true
      notifyDropped(answer.dropped)
    }
  }

  const save = async () => {
    const sent = cartStore.read()
    const answer = await cartApi.save(sent)
    if (stopped) return
    saveNeeded = false
    const stored = withoutDropped(answer)
    writeSyncedCart({ user, items: stored })
    serverCart.set({ items: stored, quote: answer.quote, at: Date.now() })
    if (answer.dropped.length > 0) {
      cartStore.replaceFromServer(withoutDropped({ ...answer, data: cartStore.read() }))
      notifyDropped(answer.dropped)
    }
  }

  const stopWatching = cartStore.watch((by) => {
    if (by === 'hand' && loaded) later(DEBOUNCE_MS)
  })
  const onOnline = () => void (pending() && run())
  const onHidden = () => void (document.hidden && loaded && pending() && run())
  window.addEventListener('online', onOnline)
  document.addEventListener('visibilitychange', onHidden)
  const self = {
    settle: async () => {
      if (!stopped && (running || pending())) await run()
      if (!stopped && loaded && pending() && failures === 0) await run()
    },
    reload: async () => {
      // A request that is already running may return an older cart.
      await running
      loaded = false
      await run()
    },
  }
  current = self
  void run()

  return () => {
    stopped = true
    clearTimeout(timer)
    stopWatching()
    window.removeEventListener('online', onOnline)
    document.removeEventListener('visibilitychange', onHidden)
    if (current === self) current = null
  }
}

/** Removes the ordered items from the cart here; the server has removed them in the order's own transaction. */
export function removeOrderedItems(ordered: { id: string; quantity: number }[]) {
  const synced = readSyncedCart()
  if (synced) writeSyncedCart({ ...synced, items: subtractItems(synced.items, ordered) })
  cartStore.replaceFromServer(subtractItems(cartStore.read(), ordered))
}

const isEmpty = (cart: Cart) => Object.keys(cart).length === 0

function withoutDropped({ data, dropped }: Pick<CartResponse, 'data' | 'dropped'>): Cart {
  const gone = new Set(dropped.map(({ _id }) => _id))
  return sanitizeCart(Object.fromEntries(Object.entries(data).filter(([id]) => !gone.has(id))))
}

function notifyDropped(products: DroppedProduct[]) {
  addNotice({ kind: 'dropped', products })
  toast.error(droppedText(products, document.documentElement.lang === 'ne' ? 'ne' : 'en', t) as RawText)
}

/**
 * Returns the stock of each product; one without a response keeps its quantity, because the order checks the stock
 * again.
 */
async function stockOf(cart: Cart): Promise<Map<string, number>> {
  try {
    const products = await queryClient.fetchQuery({
      ...catalogueQueries.byIds(Object.keys(cart).sort()),
      meta: {},
    })
    return new Map(products.map(({ id, stock }) => [id, stock]))
  } catch {
    return new Map()
  }
}
