import { renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { clearAfterSignOut } from '@/features/accounts/sign-in-out'
import { cartStore } from '@/features/cart/cart-store'
import { cartNotices, serverCart } from '@/features/cart/notices'
import { flushCart, reloadCart, removeOrderedItems, startCartSync } from '@/features/cart/sync'
import { readSyncedCart, writeSyncedCart } from '@/features/cart/synced-cart'
import { aProduct } from '@/test/fixtures'
import { mockServer, refused, serverFailed } from '@/test/server'
import { toast, useToasts } from '@/ui/toast'

const QUOTE = { subtotal: 0, tax: 0, shippingFee: 0, total: 0 }
const cart = (data: object, dropped: object[] = []) => ({
  body: { success: true, message: '', data, dropped, quote: QUOTE },
})
const LOAD = 'GET /api/cart/get_cart'
const SAVE = 'POST /api/cart/update_cart'
const echo = ({ body }: { body: unknown }) => cart((body as { cartItems: object }).cartItems)

let stop: (() => void) | undefined
beforeEach(() => {
  vi.useFakeTimers()
  cartStore.replaceFromServer({})
  writeSyncedCart(null)
  cartNotices.set([])
  serverCart.set(null)
})
afterEach(() => {
  stop?.()
  vi.useRealTimers()
})

const rest = (ms = 400) => vi.advanceTimersByTimeAsync(ms)
const toasts = () => renderHook(() => useToasts()).result.current.map(({ text }) => text)

async function signIn(table: Parameters<typeof mockServer>[0], user = 'sita') {
  const requests = mockServer({ [SAVE]: echo, ...table })
  stop = startCartSync(user)
  await rest()
  return {
    requests,
    saved: () =>
      requests
        .filter(({ method }) => method === 'POST')
        .map(({ body }) => (body as { cartItems: object }).cartItems),
  }
}

describe('at login', () => {
  // spec: 4.cart.8, 4.cart.10
  test('an empty device takes the server’s cart, and that is not saved back', async () => {
    const { saved } = await signIn({ [LOAD]: cart({ rice: 2 }) })
    expect(cartStore.read()).toEqual({ rice: 2 })
    expect(saved()).toEqual([])
    expect(cartNotices.read()).toEqual([])
  })

  test('a visitor’s cart joins the account’s, within the stock, is saved once and the shopper is told', async () => {
    cartStore.add('rice', 3, 10)
    cartStore.add('tea', 1, 10)
    const { saved } = await signIn({
      [LOAD]: cart({ rice: 9, oil: 1 }),
      'GET /api/product/get_products_by_ids': {
        body: {
          success: true,
          message: '',
          data: [
            aProduct({ id: 'rice', stock: 5 }),
            aProduct({ id: 'oil', stock: 8 }),
            aProduct({ id: 'tea', stock: 8 }),
          ],
        },
      },
    })
    expect(cartStore.read()).toEqual({ rice: 5, oil: 1, tea: 1 })
    expect(saved()).toEqual([{ rice: 5, oil: 1, tea: 1 }])
    expect(cartNotices.read()).toEqual([{ kind: 'merged' }])
    expect(toasts()).toEqual(['cart.merged'])
  })

  test('what is added while the stock is being asked for is not lost', async () => {
    cartStore.add('tea', 1, 10)
    const { saved } = await signIn({
      [LOAD]: cart({ rice: 1 }),
      'GET /api/product/get_products_by_ids': () => {
        cartStore.add('oil', 2, 10)
        return { body: { success: true, message: '', data: [] } }
      },
    })
    expect(cartStore.read()).toEqual({ rice: 1, tea: 1, oil: 2 })
    expect(saved()).toEqual([{ rice: 1, tea: 1, oil: 2 }])
  })

  test('into an empty account the device’s cart goes without a word', async () => {
    cartStore.add('tea', 1, 10)
    const { saved } = await signIn({ [LOAD]: cart({}) })
    expect(saved()).toEqual([{ tea: 1 }])
    expect(toasts()).toEqual([])
  })

  test('what somebody else left on this device is not taken along', async () => {
    cartStore.replaceFromServer({ secret: 1 })
    writeSyncedCart({ user: 'hari', items: { secret: 1 } })
    const { saved } = await signIn({ [LOAD]: cart({ rice: 1 }) })
    expect(cartStore.read()).toEqual({ rice: 1 })
    expect(saved()).toEqual([])
  })

  test('coming back, the server’s changes are taken over and those not yet saved stay', async () => {
    cartStore.replaceFromServer({ rice: 1, tea: 2 })
    writeSyncedCart({ user: 'sita', items: { rice: 1, oil: 1 } })
    const { saved } = await signIn({ [LOAD]: cart({ rice: 4, oil: 1 }) })
    expect(cartStore.read()).toEqual({ rice: 4, tea: 2 })
    expect(saved()).toEqual([{ rice: 4, tea: 2 }])
  })

  test('what is no longer sold goes, is named, and the server is told', async () => {
    const { saved } = await signIn({
      [LOAD]: cart({ rice: 1 }, [{ _id: 'ghee', name: 'Old Ghee', nameNe: null }]),
    })
    expect(cartStore.read()).toEqual({ rice: 1 })
    expect(saved()).toEqual([{ rice: 1 }])
    expect(toasts()).toEqual(['No longer available, so we removed it from your cart: Old Ghee'])
  })
})

describe('afterwards', () => {
  // spec: 4.cart.9
  test('the first action is saved, and quick ones together', async () => {
    const { saved } = await signIn({ [LOAD]: cart({}) })
    cartStore.add('rice', 1, 10)
    cartStore.add('rice', 1, 10)
    await rest()
    expect(saved()).toEqual([{ rice: 2 }])
    expect(readSyncedCart()?.items).toEqual({ rice: 2 })
  })

  test('one request at a time, and the newest wins', async () => {
    let answerFirst = () => {}
    const sent: object[] = []
    vi.stubGlobal('fetch', async (request: Request) => {
      if (request.method === 'GET') return Response.json(cart({}).body)
      const { cartItems } = await request.clone().json()
      sent.push(cartItems)
      if (sent.length === 1) await new Promise<void>((resolve) => (answerFirst = resolve))
      return Response.json(cart(cartItems).body)
    })
    stop = startCartSync('sita')
    await rest()
    cartStore.add('rice', 1, 10)
    await rest()
    cartStore.add('tea', 1, 10)
    await rest()
    cartStore.add('tea', 1, 10)
    await rest()
    expect(sent).toEqual([{ rice: 1 }])
    answerFirst()
    await rest()
    expect(sent).toEqual([{ rice: 1 }, { rice: 1, tea: 2 }])
  })

  test('what another tab changed is drawn but not saved by this one', async () => {
    const { saved } = await signIn({ [LOAD]: cart({}) })
    window.dispatchEvent(new StorageEvent('storage', { key: 'thunse.cart', newValue: '{"tea":4}' }))
    await rest(5_000)
    expect(cartStore.read()).toEqual({ tea: 4 })
    expect(saved()).toEqual([])
  })

  test.each([
    ['an unsuccessful answer', refused(429, 'too_many_requests', ''), 'cart.updateFailed'],
    ['a broken server', serverFailed, 'cart.updateError'],
  ])('%s is told once per outage and tried again with growing pauses', async (_what, failure, text) => {
    let works = false
    const table = {
      [LOAD]: cart({}),
      [SAVE]: (requests: { body: unknown }) => (works ? echo(requests) : failure),
    }
    const { saved } = await signIn(table as never)
    cartStore.add('rice', 1, 10)
    await rest(300)
    expect(toasts()).toEqual([text])
    toast.dismissAll()
    await rest(2_100)
    expect(saved()).toHaveLength(2)
    await rest(3_000)
    expect(saved()).toHaveLength(2)
    await rest(1_500)
    expect(saved()).toHaveLength(3)
    expect(toasts()).toEqual([])
    works = true
    await rest(9_000)
    expect(saved()).toHaveLength(4)
    works = false
    cartStore.add('rice', 1, 10)
    await rest(300)
    expect(toasts()).toEqual([text])
  })

  test('a cart the server finds wrong is not sent again until it is changed', async () => {
    const { saved } = await signIn({ [LOAD]: cart({}), [SAVE]: refused(422, 'cart_invalid', '') })
    cartStore.add('rice', 1, 10)
    await rest(120_000)
    expect(saved()).toHaveLength(1)
    expect(toasts()).toEqual(['cart.updateFailed'])
  })

  test.each([
    [refused(400, 'x', ''), 'cart.fetchFailed'],
    ['no network' as const, 'cart.fetchError'],
  ])('a load that fails says so, keeps the device’s cart and is tried again', async (failure, text) => {
    cartStore.add('rice', 1, 10)
    let works = false
    const { requests } = await signIn({ [LOAD]: (() => (works ? cart({}) : failure)) as never })
    expect(toasts()).toEqual([text])
    expect(cartStore.read()).toEqual({ rice: 1 })
    works = true
    await rest(3_000)
    expect(requests.filter(({ method }) => method === 'GET').length).toBeGreaterThan(1)
    expect(cartStore.read()).toEqual({ rice: 1 })
  })

  test('a session that has ended is silent and keeps the cart', async () => {
    const { saved } = await signIn({ [LOAD]: cart({ rice: 1 }), [SAVE]: refused(401, 'signed_out', '') })
    cartStore.add('rice', 1, 10)
    await rest(60_000)
    expect(saved()).toHaveLength(1)
    expect(toasts()).toEqual([])
    expect(cartStore.read()).toEqual({ rice: 2 })
  })
})

test('what was ordered goes here as it went on the server, without another request', async () => {
  const { saved } = await signIn({ [LOAD]: cart({ rice: 3, tea: 1 }) })
  removeOrderedItems([{ id: 'rice', quantity: 3 }])
  await rest(1_000)
  expect(cartStore.read()).toEqual({ tea: 1 })
  expect(saved()).toEqual([])
})

test('whoever is about to order can wait until the last change has arrived', async () => {
  const { saved } = await signIn({ [LOAD]: cart({}) })
  cartStore.add('rice', 1, 10)
  await flushCart()
  expect(saved()).toEqual([{ rice: 1 }])
})

test('a cart that the server has changed is loaded again, and what was changed here meanwhile stays', async () => {
  let server: object = { rice: 3, tea: 1 }
  const { saved } = await signIn({ [LOAD]: () => cart(server) })
  server = {}
  cartStore.add('oil', 1, 10)
  await reloadCart()
  expect(cartStore.read()).toEqual({ oil: 1 })
  await rest()
  expect(saved()).toEqual([{ oil: 1 }])
})

test('at logout nothing of the synced cart stays in this page’s memory', async () => {
  await signIn({ [LOAD]: cart({ rice: 1 }) })
  clearAfterSignOut()
  expect([cartStore.read(), readSyncedCart(), serverCart.read()]).toEqual([{}, null, null])
})

test('a load that was already under way does not pass for the one asked for', async () => {
  const answers: ((data: object) => void)[] = []
  vi.stubGlobal(
    'fetch',
    () => new Promise((resolve) => answers.push((data) => resolve(Response.json(cart(data).body)))),
  )
  stop = startCartSync('sita')
  const again = reloadCart()
  await rest()
  answers[0]?.({ rice: 3 })
  await rest(0)
  answers[1]?.({})
  await again
  expect(cartStore.read()).toEqual({})
})
