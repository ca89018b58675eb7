import drawings from '@data/drawings.json'
import catalogue from '@seed/catalogue.json'
import { emojiName } from '@/features/media/drawing/emoji-name'

type CatalogueCategory = (typeof catalogue)[number]
export type StarterProduct = CatalogueCategory['products'][number] & { category: CatalogueCategory }
export type StarterLine = { product: StarterProduct; price: string; stock: string }

/** The groceries of the demo shop, without their prices: those are the seller's to say. */
const PRODUCTS: StarterProduct[] = catalogue.flatMap((category) =>
  category.products.map((product) => ({ ...product, category })),
)

const fold = (text: string) => text.toLowerCase().trim()

/** The products whose name in either language, or another name, contains every word of the text. */
export function findStarterProducts(text: string): StarterProduct[] {
  const words = fold(text).split(/\s+/).filter(Boolean)
  return PRODUCTS.filter(({ name, nameNe, aliases, category }) => {
    const names = fold([name, nameNe, ...aliases, category.name, category.nameNe].join(' '))
    return words.every((word) => names.includes(word))
  })
}

const COLUMNS = {
  name: ({ product }) => product.name,
  name_ne: ({ product }) => product.nameNe,
  category: ({ product }) => product.category.name,
  description: ({ product }) => product.description,
  description_ne: ({ product }) => product.descriptionNe,
  price: ({ price }) => price.trim(),
  stock: ({ stock }) => stock.trim(),
  tags: ({ product }) => product.tags.join(' | '),
  tags_ne: ({ product }) => product.tagsNe.join(' | '),
  aliases: ({ product }) => product.aliases.join(' | '),
  unit_amount: ({ product }) => String(product.unit.amount),
  unit_measure: ({ product }) => product.unit.measure,
  unit_label: ({ product }) => product.unit.label,
  unit_label_ne: ({ product }) => product.unit.labelNe,
  tax_class: ({ product }) => (product.vatHint === 'exempt' ? 'exempt' : 'standard'),
} satisfies Record<string, (line: StarterLine) => string>

const quote = (text: string) => `"${text.replaceAll('"', '""')}"`

/** The chosen products as a file of the import, so that the seller sees and confirms them like any other import. */
export function starterFile(lines: StarterLine[]): File {
  const rows = lines.map((line) =>
    Object.values(COLUMNS)
      .map((cell) => quote(cell(line)))
      .join(','),
  )
  const text = [Object.keys(COLUMNS).join(','), ...rows].join('\r\n')
  return new File([text], 'starter-catalogue.csv', { type: 'text/csv' })
}

/** The categories of the chosen products that the shop does not have. */
export function missingCategories(lines: StarterLine[], existing: { name: string }[]): CatalogueCategory[] {
  const known = new Set(existing.map(({ name }) => fold(name)))
  const needed = new Set(lines.map(({ product }) => product.category))
  return [...needed].filter(({ name }) => !known.has(fold(name)))
}

const ADDRESSES = import.meta.glob<string>('@/assets/emoji/*.webp', {
  eager: true,
  query: '?url',
  import: 'default',
})

/** These two are drawn as jars, of which there is no file. */
const JARS: Record<string, string> = { 'oil-ghee': '🧈', 'pickles-traditional': '🥒' }
const drawn: Record<string, { kind: string; emblem?: string }> = drawings.categories

export const emblemOf = (picture: string) => drawn[picture]?.emblem ?? JARS[picture] ?? ''

/** The drawing of a category as a file; a category needs a picture, which the seller can replace later. */
export async function categoryPicture({ picture }: CatalogueCategory): Promise<File> {
  const response = await fetch(ADDRESSES[`/src/assets/emoji/${emojiName(emblemOf(picture))}.webp`] ?? '')
  return new File([await response.blob()], `${picture}.webp`, { type: 'image/webp' })
}
