import { queryClient } from '@/api/query-client'
import { SELLER_STREAM } from '@/features/orders/seller-stream'
import { coalesce } from '@/lib/coalesce'

export type OrderEvent = { _id: string; orderId: string; status: string; placed?: boolean }

type OrderEventOptions = {
  /** The URL of the server's event stream. */
  address: string
  onOrder: (order: OrderEvent) => void
  /** Called while there is no stream, and whenever one opens, for changes that were missed. */
  refetch: () => void
}

const POLL_MS = 10_000
const TRY_AGAIN_MS = 60_000
const REOPEN_MS = 2_000
const FAILURES = 2
/** The lists are fetched at most this often, however many events arrive. */
const REFRESH_MS = 1_000

type SharedStream = { listeners: Set<OrderEventOptions>; started: boolean; stop: () => void }
const shared = new Map<string, SharedStream>()

/**
 * Subscribes to changes of orders. All subscribers of an address on this page share one stream, because a browser holds
 * few connections. The seller's stream stays open in a background tab, where it announces new orders.
 */
export function subscribeToOrders(options: OrderEventOptions): () => void {
  const { address } = options
  let stream = shared.get(address)
  if (stream) {
    stream.listeners.add(options)
    // It has missed the first event of the stream.
    if (stream.started) options.refetch()
  } else {
    const opened: SharedStream = { listeners: new Set([options]), started: false, stop: () => {} }
    shared.set(address, opened)
    stream = opened
    opened.stop = openStream({
      address,
      onOrder: (order) => {
        for (const each of opened.listeners) each.onOrder(order)
      },
      refetch: () => {
        opened.started = true
        for (const each of opened.listeners) each.refetch()
      },
    })
  }
  const joined = stream
  return () => {
    joined.listeners.delete(options)
    if (joined.listeners.size > 0) return
    joined.stop()
    shared.delete(address)
  }
}

/**
 * Opens the stream of an address. EventSource reconnects after a lost connection but treats a refused request as
 * final, so it is opened again here. After two failures in a row the orders are polled every ten seconds, and the
 * stream is tried again every minute. A hidden tab of a shopper holds no connection and refetches when it is shown again.
 */
function openStream({ address, onOrder, refetch }: OrderEventOptions): () => void {
  let source: EventSource | null = null
  let failures = 0
  const timers = new Set<ReturnType<typeof setTimeout>>()

  const after = (ms: number, work: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, ms)
    timers.add(timer)
  }

  const disconnect = () => {
    source?.close()
    source = null
    for (const timer of timers) clearTimeout(timer)
    timers.clear()
  }

  const poll = () => {
    refetch()
    after(POLL_MS, poll)
  }

  const fallBack = () => {
    disconnect()
    poll()
    after(TRY_AGAIN_MS, open)
  }

  const open = (): void => {
    disconnect()
    if (typeof EventSource === 'undefined') {
      fallBack()
      return
    }
    const opened = new EventSource(address)
    source = opened
    opened.onopen = () => {
      failures = 0
    }
    opened.addEventListener('order', (event) => {
      try {
        onOrder(JSON.parse((event as MessageEvent<string>).data) as OrderEvent)
      } catch {
        refetch()
      }
    })
    // The server sends `reload` first on every stream, and when a slow connection has missed events.
    opened.addEventListener('reload', refetch)
    opened.onerror = () => {
      if (source !== opened) return
      failures += 1
      if (failures >= FAILURES) fallBack()
      else if (opened.readyState === EventSource.CLOSED) after(REOPEN_MS, open)
    }
  }

  const inBackground = address === SELLER_STREAM
  const onVisible = () => {
    // What a phone has frozen in the background is opened again.
    if (inBackground && (document.hidden || source?.readyState === EventSource.OPEN)) return
    if (document.hidden) disconnect()
    else {
      failures = 0
      open()
    }
  }

  document.addEventListener('visibilitychange', onVisible)
  if (inBackground || !document.hidden) open()
  return () => {
    document.removeEventListener('visibilitychange', onVisible)
    disconnect()
  }
}

export type LiveListOptions = {
  address: string
  /** The key of the lists to refetch after a change. */
  lists: readonly string[]
  /** Fetches the newest page; a failure shows no message. */
  newest: () => Promise<{ data: unknown[] }>
  onOrder?: (order: OrderEvent) => void
  /** Called when that fails: the session may have ended. */
  onFailed: (error: unknown) => void
}

/** Keeps lists of orders up to date. `live` is called each time, because the page that shows them may have rendered again. */
export function syncOrderLists(address: string, live: () => LiveListOptions): () => void {
  let seen: string | undefined
  const [refresh, stopRefreshing] = coalesce(async () => {
    const queryKey = live().lists
    const joined = queryClient.isFetching({ queryKey }) > 0
    await queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false })
    // A fetch that was already under way may have been answered before the change.
    if (joined) refresh()
  }, REFRESH_MS)
  const shown = () =>
    queryClient
      .getQueriesData<{ pages: { data: unknown[] }[] }>({ queryKey: live().lists })
      .map(([, list]) => JSON.stringify(list?.pages[0]?.data))
  const stopFollowing = subscribeToOrders({
    address,
    onOrder: (order) => {
      refresh()
      live().onOrder?.(order)
    },
    refetch: () => {
      live()
        .newest()
        .then(
          ({ data }) => {
            const now = JSON.stringify(data)
            if (seen === undefined ? !shown().includes(now) : seen !== now) refresh()
            seen = now
          },
          (error) => live().onFailed(error),
        )
    },
  })
  return () => {
    stopFollowing()
    stopRefreshing()
  }
}
