import { personKey } from '@/features/accounts/person'
import type { OrderBody } from '@/features/orders/api'

/** An order that was sent and has no definite answer yet. */
export type Placing = { key: string; body: OrderBody; at: number }

const KEY = personKey('placing')
/** Whoever comes back later than this is not waiting for the answer any more. */
const WAITED_FOR_MS = 60 * 60 * 1000

/** Storage may be forbidden; then the key lives as long as this page, which still covers double clicks and retries. */
let inMemory: Placing | null = null

export function openPlacing(now = Date.now()): Placing | null {
  let found = inMemory
  try {
    const text = localStorage.getItem(KEY)
    found = text ? (JSON.parse(text) as Placing) : null
  } catch {
    // See above; and what cannot be read cannot be sent again.
  }
  return found?.key && found.body && now - found.at < WAITED_FOR_MS ? found : null
}

/**
 * The key under which this very order is sent. It is written down before anything is sent, so that a double click, a lost
 * answer or a reload sends the same order again, never a second one. Another cart, address or price is another order.
 */
export function placingFor(body: OrderBody): Placing {
  const open = openPlacing()
  if (open && JSON.stringify(open.body) === JSON.stringify(body)) return open
  return store({ key: crypto.randomUUID(), body, at: Date.now() })
}

function store(placing: Placing): Placing {
  inMemory = placing
  try {
    localStorage.setItem(KEY, JSON.stringify(placing))
  } catch {
    // See above.
  }
  return placing
}

/** The server has said yes or no: the next order is a new one. */
export function placingAnswered() {
  inMemory = null
  try {
    localStorage.removeItem(KEY)
  } catch {
    // See above.
  }
}
