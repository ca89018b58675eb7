import { type Cart, MAX_QUANTITY, maxLines } from '@/features/cart/cart-store'

const limitLines = (lines: [string, number][]): Cart => Object.fromEntries(lines.slice(0, maxLines()))

export function sameCart(one: Cart, other: Cart): boolean {
  const ids = Object.keys(one)
  return ids.length === Object.keys(other).length && ids.every((id) => one[id] === other[id])
}

/**
 * Merges a visitor's cart with the cart of the account: all products of both, each with the larger quantity, but not
 * more than the stock. A product that is sold out stays with one piece, so that the cart shows it instead of dropping
 * it silently.
 */
export function mergeCarts(device: Cart, server: Cart, stock: ReadonlyMap<string, number>): Cart {
  const ids = [...new Set([...Object.keys(server), ...Object.keys(device)])]
  return limitLines(
    ids.map((id) => {
      const wanted = Math.max(device[id] ?? 0, server[id] ?? 0)
      return [id, Math.max(1, Math.min(wanted, stock.get(id) ?? MAX_QUANTITY, MAX_QUANTITY))]
    }),
  )
}

/** Applies the changes made on this device since the last sync to the server's current cart. */
export function applyLocalChanges(base: Cart, device: Cart, server: Cart): Cart {
  const ids = [...new Set([...Object.keys(device), ...Object.keys(server)])]
  return limitLines(
    ids.flatMap((id): [string, number][] => {
      const quantity = (device[id] === base[id] ? server[id] : device[id]) ?? 0
      return quantity > 0 ? [[id, quantity]] : []
    }),
  )
}

/** Removes the ordered items from a cart. */
export function subtractItems(cart: Cart, ordered: { id: string; quantity: number }[]): Cart {
  const taken = new Map(ordered.map(({ id, quantity }) => [id, quantity]))
  return Object.fromEntries(
    Object.entries(cart).flatMap(([id, quantity]) => {
      const left = quantity - (taken.get(id) ?? 0)
      return left > 0 ? [[id, left]] : []
    }),
  )
}
