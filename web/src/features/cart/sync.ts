import { Refusal } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { endedElsewhere } from '@/features/accounts/person'
import { leaving } from '@/features/accounts/session'
import { type CartAnswer, cartApi, type Dropped } from '@/features/cart/api'
import { type Cart, cartStore, soundCart } from '@/features/cart/cart-store'
import { droppedText } from '@/features/cart/dropped-text'
import { readKept, writeKept } from '@/features/cart/kept'
import { replay, sameCart, union, without } from '@/features/cart/merge'
import { addNotice, cartNotices, serverCart } from '@/features/cart/notices'
import { catalogueQueries } from '@/features/catalogue/api'
import { type RawText, t } from '@/lib/i18n'
import { toast } from '@/ui/toast'

/** Quick presses on + become one request. */
const GATHER_MS = 250
const RETRY_FIRST_MS = 2_000
const RETRY_MOST_MS = 60_000

// What forget-cart.ts leaves: that which only this page's memory holds.
leaving.add(() => {
  if (readKept()) cartStore.takeOver({})
  writeKept(null)
  serverCart.set(null)
  cartNotices.set([])
})

/** The cart that is being kept, so that an order can wait until its last change has arrived. */
let current: { settle: () => Promise<void>; reload: () => Promise<void> } | null = null

/** Settles when the server knows this cart, or cannot be told. */
export const cartSettled = () => current?.settle() ?? Promise.resolve()

/** The server has changed its copy by itself: ours follows, and keeps what was changed here meanwhile. */
export const reloadCart = () => current?.reload() ?? Promise.resolve()

/**
 * Keeps the device's cart and the server's the same for a signed-in shopper, until the returned function is called.
 *
 * The server's copy is loaded once, then every change is saved: one request at a time, always the newest cart as a whole.
 * What failed is tried again with growing pauses; each outage is told once.
 *
 * Several tabs share the device's cart through storage, and none saves what another one changed: it only draws it. If the
 * changing tab dies before it has saved, the difference to what is kept (kept.ts) is still there for whichever tab next
 * saves or loads. When two tabs save at once, the older map may arrive last; its tab then sees that the cart has moved on
 * from what it sent, and sends the newest one. So all end with what the shopper did last.
 */
export function keepCart(user: string): () => void {
  let stopped = false
  let loaded = false
  let failures = 0
  let told = false
  /** The server's copy holds what it no longer sells: it is to be told, though nothing here differs. */
  let owed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | null = null

  const pending = () => !loaded || owed || !sameCart(cartStore.read(), readKept()?.items ?? {})

  const run = (): Promise<void> => {
    clearTimeout(timer)
    // Without a network nothing can be said; the bar under the header says so already.
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
      told = false
      if (!stopped && pending()) later(loading ? 0 : GATHER_MS)
    } catch (error) {
      if (stopped || endedElsewhere(error)) return
      const refused = error instanceof Refusal
      if (!told) {
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
      told = true
      failures += 1
      // A cart that the server finds wrong does not get better by being sent again; the next change may.
      if (refused && error.status === 422) return
      later(Math.min(RETRY_FIRST_MS * 2 ** (failures - 1), RETRY_MOST_MS))
    }
  }

  const later = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => void run(), ms)
  }

  const load = async () => {
    const answer = await cartApi.load()
    const server = withoutDropped(answer)
    const kept = readKept()
    const mine = kept?.user === user
    // Without a keeper it is a visitor's cart and joins in; somebody else's has no business here.
    const onDevice = () => (kept && !mine ? {} : withoutDropped({ ...answer, data: cartStore.read() }))
    const asked = onDevice()
    const stock = mine || isEmpty(asked) ? new Map() : await stockOf({ ...asked, ...server })
    if (stopped) return
    // Read anew: while the stock was asked for, they may have gone on shopping.
    const device = onDevice()
    const next = mine ? replay(kept.items, device, server) : union(device, server, stock)
    writeKept({ user, items: server })
    loaded = true
    serverCart.set({ items: server, quote: answer.quote, at: Date.now() })
    // An empty cart is the server's as it is; taking it over is no change that would have to be saved.
    cartStore.takeOver(isEmpty(device) && !mine ? server : next)
    if (!mine && !isEmpty(device) && !isEmpty(server) && !sameCart(device, server)) {
      addNotice({ kind: 'merged' })
      toast.success('cart.merged')
    }
    if (answer.dropped.length > 0) {
      owed = true
      tellDropped(answer.dropped)
    }
  }

  const save = async () => {
    const sent = cartStore.read()
    const answer = await cartApi.save(sent)
    if (stopped) return
    owed = false
    const stored = withoutDropped(answer)
    writeKept({ user, items: stored })
    serverCart.set({ items: stored, quote: answer.quote, at: Date.now() })
    if (answer.dropped.length > 0) {
      cartStore.takeOver(withoutDropped({ ...answer, data: cartStore.read() }))
      tellDropped(answer.dropped)
    }
  }

  const stopWatching = cartStore.watch((by) => {
    if (by === 'hand' && loaded) later(GATHER_MS)
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
      // What is under way may have been answered too early.
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

/** The server has taken these out of its copy in the order's own transaction; here the same is done to ours. */
export function takeOrdered(ordered: { id: string; quantity: number }[]) {
  const kept = readKept()
  if (kept) writeKept({ ...kept, items: without(kept.items, ordered) })
  cartStore.takeOver(without(cartStore.read(), ordered))
}

const isEmpty = (cart: Cart) => Object.keys(cart).length === 0

function withoutDropped({ data, dropped }: Pick<CartAnswer, 'data' | 'dropped'>): Cart {
  const gone = new Set(dropped.map(({ _id }) => _id))
  return soundCart(Object.fromEntries(Object.entries(data).filter(([id]) => !gone.has(id))))
}

function tellDropped(products: Dropped[]) {
  addNotice({ kind: 'dropped', products })
  toast.error(droppedText(products, document.documentElement.lang === 'ne' ? 'ne' : 'en', t) as RawText)
}

/** How many there are of each; a product without an answer keeps its quantity, the order will look again. */
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
