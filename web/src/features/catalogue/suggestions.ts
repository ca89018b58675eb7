import type { Category, Product } from '@/features/catalogue/api'
import type { Lang } from '@/lib/first-data'
import { localText } from '@/lib/local-text'

const MAX_PRODUCTS = 6
const MAX_CATEGORIES = 2
const MAX_SEARCHES = 5
const SEARCHES_KEY = 'searches'

export type Suggestion = {
  key: string
  label: string
  /** The product that can be put into the cart from the list. */
  addable?: Product | undefined
} & ({ kind: 'category'; category: Category } | { kind: 'product'; product: Product } | { kind: 'search' })

type Named = { name: string; nameNe: string | null }

/** 0 if the name begins with the text, 1 if one of its words does, 2 if it contains it elsewhere, 3 if it does not. */
function distance({ name, nameNe }: Named, wanted: string): number {
  const inName = (text: string) => {
    const place = text.indexOf(wanted)
    if (place <= 0) return place === 0 ? 0 : 3
    return text.includes(` ${wanted}`) || text.includes(`(${wanted}`) ? 1 : 2
  }
  return Math.min(inName(name.toLowerCase()), nameNe ? inName(nameNe) : 3)
}

/** The matches, those whose words begin with the text first. */
function best<T extends Named>(things: T[], wanted: string, most: number): T[] {
  const found = things.filter((thing) => distance(thing, wanted) < 3)
  return found.sort((a, b) => distance(a, wanted) - distance(b, wanted)).slice(0, most)
}

/**
 * Suggests matches for the typed text, in either script: categories and products that are on this device, and what the
 * server has found by other names and in spite of slips.
 */
export function suggest(
  typed: string,
  lang: Lang,
  products: Iterable<Product>,
  categories: Category[],
  found: Product[] = [],
): Suggestion[] {
  const wanted = typed.trim().toLowerCase()
  if (wanted.length < 2) return []
  const goods = new Map(best([...products], wanted, MAX_PRODUCTS).map((product) => [product.id, product]))
  for (const product of found) goods.set(product.id, product)
  return [
    ...best(categories, wanted, MAX_CATEGORIES).map((category): Suggestion => {
      const label = localText(category, 'name', lang)
      return { kind: 'category', key: category.slug, label, category }
    }),
    ...[...goods.values()].slice(0, MAX_PRODUCTS).map((product): Suggestion => {
      const label = localText(product, 'name', lang)
      const addable = product.stock > 0 ? product : undefined
      return { kind: 'product', key: product.id, label, product, addable }
    }),
  ]
}

/** What was searched for on this device, newest first. It never leaves the device. */
export function pastSearches(): string[] {
  try {
    const texts: unknown = JSON.parse(localStorage.getItem(SEARCHES_KEY) ?? '[]')
    return Array.isArray(texts) ? texts.filter((text) => typeof text === 'string').slice(0, MAX_SEARCHES) : []
  } catch {
    return []
  }
}

export function rememberSearch(text: string) {
  const texts = [text, ...pastSearches().filter((other) => other !== text)].slice(0, MAX_SEARCHES)
  try {
    localStorage.setItem(SEARCHES_KEY, JSON.stringify(texts))
  } catch {
    // Private windows may refuse storage; the list stays as it was.
  }
}
