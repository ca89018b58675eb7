import { beforeEach, describe, expect, test } from 'vitest'
import { cartStore, countItems, readCart } from '@/features/cart/cart-store'
import { settings } from '@/lib/first-data'

beforeEach(() => cartStore.clear())

describe('the cart on this device', () => {
  // spec: 4.cart.1, 4.cart.2, 4.cart.3
  test('adding goes up by one, removing goes down by one and drops the line at nothing', () => {
    cartStore.add('rice', 1, 10)
    cartStore.add('rice', 1, 10)
    expect(cartStore.read()).toEqual({ rice: 2 })
    cartStore.removeOne('rice')
    expect(cartStore.read()).toEqual({ rice: 1 })
    cartStore.removeOne('rice')
    expect(cartStore.read()).toEqual({})
  })

  test('a page that the Back button brings back as it was shows what another one has made of the cart', () => {
    cartStore.add('rice', 5, 10)
    localStorage.setItem('thunse.cart', '{"oil":1}')
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }))
    expect(cartStore.read()).toEqual({ rice: 5 })
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    expect(cartStore.read()).toEqual({ oil: 1 })
  })

  // spec: 4.cart.4
  test('a whole line can go at once', () => {
    cartStore.add('rice', 5, 10)
    cartStore.add('oil', 1, 10)
    cartStore.removeLine('rice')
    expect(cartStore.read()).toEqual({ oil: 1 })
  })

  test('a removed line can be put back where it stood', () => {
    cartStore.add('rice', 5, 10)
    cartStore.add('oil', 1, 10)
    cartStore.add('tea', 2, 10)
    cartStore.removeLine('oil')
    cartStore.removeOne('tea')
    cartStore.putBack('oil', 1, 1)
    expect(Object.entries(cartStore.read())).toEqual([
      ['rice', 5],
      ['oil', 1],
      ['tea', 1],
    ])
  })

  test('nobody can take more than there is', () => {
    expect(cartStore.add('oil', 5, 3)).toBe(3)
    expect(cartStore.add('oil', 1, 3)).toBe(0)
    expect(cartStore.read()).toEqual({ oil: 3 })
  })

  test('a line already above a fallen stock is left for the shopper to decide', () => {
    cartStore.add('oil', 5, 10)
    expect(cartStore.add('oil', 1, 2)).toBe(0)
    expect(cartStore.read()).toEqual({ oil: 5 })
  })

  test('a cart holds 99 of one product and 100 products', () => {
    expect(cartStore.add('rice', 120, 500)).toBe(99)
    for (let line = 1; line < 100; line++) cartStore.add(`p-${line}`, 1, 10)
    expect(cartStore.add('one-more', 1, 10)).toBe(0)
    expect(cartStore.add('p-1', 1, 10)).toBe(1)
    expect(Object.keys(cartStore.read())).toHaveLength(100)
  })

  test('a shop may want smaller carts; what is in them stays', () => {
    for (const id of ['a', 'b', 'c']) cartStore.add(id, 1, 10)
    settings.cartLines = 2
    expect(cartStore.add('d', 1, 10)).toBe(0)
    expect(cartStore.add('a', 1, 10)).toBe(1)
    settings.cartLines = 100
    expect(cartStore.read()).toEqual({ a: 2, b: 1, c: 1 })
  })

  test('whoever watches is told who changed it', () => {
    const told: string[] = []
    const stop = cartStore.watch((by) => told.push(by))
    cartStore.add('rice', 1, 10)
    cartStore.replaceFromServer({ tea: 1 })
    window.dispatchEvent(new StorageEvent('storage', { key: 'thunse.cart', newValue: '{}' }))
    stop()
    cartStore.add('rice', 1, 10)
    expect(told).toEqual(['hand', 'server', 'tab'])
  })

  test('the count is items, not lines', () => {
    expect(countItems({ rice: 3, oil: 1 })).toBe(4)
  })

  // spec: 6.visitor.2
  test('it survives a reload', () => {
    cartStore.add('rice', 2, 10)
    expect(readCart(localStorage.getItem('thunse.cart'))).toEqual({ rice: 2 })
  })

  test('a change in another tab is taken over', () => {
    window.dispatchEvent(new StorageEvent('storage', { key: 'thunse.cart', newValue: '{"tea":4}' }))
    expect(cartStore.read()).toEqual({ tea: 4 })
  })

  test.each([
    ['not json', {}],
    ['[1,2]', {}],
    ['null', {}],
    ['{"rice":-1,"oil":1.5,"tea":"3","ok":2}', { ok: 2 }],
    ['{"rice":1e9}', { rice: 99 }],
    ['{"<img>":1}', {}],
  ])('stored nonsense (%s) is read as what makes sense of it', (text, cart) => {
    expect(readCart(text)).toEqual(cart)
  })
})
