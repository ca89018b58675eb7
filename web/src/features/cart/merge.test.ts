import { expect, test } from 'vitest'
import { applyLocalChanges, mergeCarts, sameCart, subtractItems } from '@/features/cart/merge'

const stock = (quantities: Record<string, number>) => new Map(Object.entries(quantities))

test('at login both carts come together, of each product the larger quantity', () => {
  expect(mergeCarts({ rice: 3, tea: 1 }, { rice: 2, oil: 4 }, new Map())).toEqual({ rice: 3, oil: 4, tea: 1 })
})

test('but not more than there is, and what is sold out stays to be seen', () => {
  expect(mergeCarts({ rice: 9 }, { oil: 5, tea: 2 }, stock({ rice: 4, oil: 0, tea: 7 }))).toEqual({
    rice: 4,
    oil: 1,
    tea: 2,
  })
})

test('together they hold no more than a cart can', () => {
  const many = (name: string) => Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`${name}-${i}`, 1]))
  expect(Object.keys(mergeCarts(many('a'), many('b'), new Map()))).toHaveLength(100)
})

test.each([
  ['nothing changed anywhere', { a: 1 }, { a: 1 }, { a: 1 }, { a: 1 }],
  ['changed elsewhere only', { a: 1 }, { a: 1 }, { a: 5, b: 2 }, { a: 5, b: 2 }],
  ['removed elsewhere', { a: 1, b: 1 }, { a: 1, b: 1 }, { b: 1 }, { b: 1 }],
  ['changed here only', { a: 1 }, { a: 3 }, { a: 1 }, { a: 3 }],
  ['removed here', { a: 1, b: 1 }, { b: 1 }, { a: 1, b: 1 }, { b: 1 }],
  ['added here, added elsewhere', {}, { a: 1 }, { b: 1 }, { a: 1, b: 1 }],
  ['both changed the same: here wins', { a: 1 }, { a: 2 }, { a: 9 }, { a: 2 }],
])('%s', (_what, base, device, server, merged) => {
  expect(applyLocalChanges(base as never, device as never, server as never)).toEqual(merged)
})

test('an order takes its part and leaves the rest', () => {
  const ordered = [
    { id: 'rice', quantity: 2 },
    { id: 'tea', quantity: 1 },
  ]
  expect(subtractItems({ rice: 3, oil: 1, tea: 1 }, ordered)).toEqual({ rice: 1, oil: 1 })
})

test('carts are the same whatever the order of their lines', () => {
  expect(sameCart({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true)
  expect(sameCart({ a: 1 }, { a: 1, b: 2 })).toBe(false)
  expect(sameCart({ a: 1, b: 2 }, { a: 1, c: 2 })).toBe(false)
})
