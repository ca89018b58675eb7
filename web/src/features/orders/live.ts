import { queryClient } from '@/api/query-client'
import { coalesced } from '@/lib/coalesced'

export type LiveOrder = { _id: string; orderId: string; status: string; placed?: boolean }

type Following = {
  /** The server's stream of changes. */
  address: string
  onOrder: (order: LiveOrder) => void
  /** Looks for itself: while there is no stream, and whenever one begins, for what it does not know of. */
  look: () => void
}

const POLL_MS = 10_000
const TRY_AGAIN_MS = 60_000
const REOPEN_MS = 2_000
const FAILURES = 2
/** A busy hour has many changes a second; the lists are fetched no more often than this. */
const REFRESH_MS = 1_000

/**
 * Follows orders as they change. EventSource reconnects by itself after a cut; a refused answer it takes for final, so we
 * open it again. After two failures in a row we ask every ten seconds instead, and try the stream again every minute. A
 * hidden tab holds no line and looks when it is shown again.
 */
export function followOrders({ address, onOrder, look }: Following): () => void {
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

  const rest = () => {
    source?.close()
    source = null
    for (const timer of timers) clearTimeout(timer)
    timers.clear()
  }

  const poll = () => {
    look()
    after(POLL_MS, poll)
  }

  const fallBack = () => {
    rest()
    poll()
    after(TRY_AGAIN_MS, open)
  }

  const open = (): void => {
    rest()
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
        onOrder(JSON.parse((event as MessageEvent<string>).data) as LiveOrder)
      } catch {
        look()
      }
    })
    // The first word of every stream, and when a slow line has missed something: ask for everything.
    opened.addEventListener('reload', look)
    opened.onerror = () => {
      if (source !== opened) return
      failures += 1
      if (failures >= FAILURES) fallBack()
      else if (opened.readyState === EventSource.CLOSED) after(REOPEN_MS, open)
    }
  }

  const onVisible = () => {
    if (document.hidden) rest()
    else {
      failures = 0
      open()
    }
  }

  document.addEventListener('visibilitychange', onVisible)
  if (!document.hidden) open()
  return () => {
    document.removeEventListener('visibilitychange', onVisible)
    rest()
  }
}

export type LiveLists = {
  address: string
  /** The lists to fetch anew when something has changed. */
  lists: readonly string[]
  /** The newest page, asked for quietly: a failed look is no news. */
  newest: () => Promise<{ data: unknown[] }>
  onOrder?: (order: LiveOrder) => void
  /** A look that failed: perhaps whoever looked is signed out by now. */
  onFailed: (error: unknown) => void
}

/** Keeps lists of orders true. `live` is asked anew each time, because the page that shows them may have been drawn anew. */
export function followLists(address: string, live: () => LiveLists): () => void {
  let seen: string | undefined
  const [refresh, stopRefreshing] = coalesced(async () => {
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
  const stopFollowing = followOrders({
    address,
    onOrder: (order) => {
      refresh()
      live().onOrder?.(order)
    },
    look: () => {
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
