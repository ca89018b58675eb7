import type { AuditEntry } from '@/features/seller/seller-audit-api'
import { SETTING_NAMES } from '@/features/shop/seller-settings-names'
import type { MessageId } from '@/lib/i18n'

const ACTIONS = {
  product_add: 'saud.act.productAdd',
  product_update: 'saud.act.productUpdate',
  product_delete: 'saud.act.productDelete',
  product_stock: 'saud.act.productStock',
  product_import: 'saud.act.productImport',
  products_export: 'saud.act.productsExport',
  category_add: 'saud.act.categoryAdd',
  category_update: 'saud.act.categoryUpdate',
  category_delete: 'saud.act.categoryDelete',
  order_status: 'saud.act.orderStatus',
  order_delivery_date: 'saud.act.orderDate',
  payment_check: 'saud.act.paymentCheck',
  payment_refund: 'saud.act.paymentRefund',
  case_close: 'saud.act.caseClose',
  shop_settings: 'saud.act.shopSettings',
  newsletter_export: 'saud.act.newsletterExport',
} satisfies Record<string, MessageId>

/** What was done; what is newer than this page has no words yet. */
export const actionWords = (action: string): MessageId | null =>
  ACTIONS[action.replace('.', '_') as keyof typeof ACTIONS] ?? null

const IMPORTS = {
  checking: 'saud.import.checking',
  checked: 'saud.import.checked',
  refused: 'saud.import.refused',
  applying: 'saud.import.applying',
  applied: 'saud.import.applied',
  failed: 'saud.import.failed',
  cancelled: 'saud.import.cancelled',
} satisfies Record<string, MessageId>

/** How far a spreadsheet was. */
export const importWords = (state: string): MessageId | null => IMPORTS[state as keyof typeof IMPORTS] ?? null

const COLUMNS = {
  name: 'saud.col.name',
  name_ne: 'saud.col.nameNe',
  description: 'saud.col.description',
  description_ne: 'saud.col.descriptionNe',
  category: 'saud.col.category',
  price: 'saud.col.price',
  stock: 'saud.col.stock',
  rating: 'saud.col.rating',
  reviews: 'saud.col.reviews',
  tags: 'saud.col.tags',
  tags_ne: 'saud.col.tagsNe',
  aliases: 'saud.col.aliases',
  tax_class: 'saud.col.taxClass',
  unit: 'saud.col.unit',
  unit_amount: 'saud.col.unit',
  unit_measure: 'saud.col.unit',
  unit_label: 'saud.col.unit',
  unit_label_ne: 'saud.col.unitNe',
  // What the shop says of itself.
  ...SETTING_NAMES,
  deliveryPromise: 'sset.group.delivery',
  deliveryPromiseNe: 'saud.col.promiseNe',
  picture: 'saud.col.picture',
  image: 'saud.col.picture',
  icon: 'saud.col.icon',
} satisfies Record<string, MessageId>

export const columnWords = (column: string): MessageId | null =>
  COLUMNS[column as keyof typeof COLUMNS] ?? null

/** `column` is empty where the whole thing changed, such as a status. */
export type Change = { column: string; before: string; after: string }

/** `price: 120; stock: 4`, as the log keeps several columns in one text. */
function columnsOf(text: string): [column: string, value: string][] | null {
  const parts = text.split(/; (?=[A-Za-z_]+: ?)/)
  const found = parts.map((part) => part.match(/^([A-Za-z_]+): ?([\s\S]*)$/))
  return found.every((match) => match !== null)
    ? found.map((match) => [match?.[1] ?? '', match?.[2] ?? ''])
    : null
}

/** Column by column where both sides name the same ones; else the two texts as they are. */
export function changesOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): Change[] {
  if (!before && !after) return []
  const [was, is] = [columnsOf(before), columnsOf(after)]
  const [whole] = [{ column: '', before, after }]
  // One side alone names columns too, of a thing that is new or gone.
  if (is && !before) return is.map(([column, value]) => ({ column, before: '', after: value }))
  if (was && !after) return was.map(([column, value]) => ({ column, before: value, after: '' }))
  if (!was || !is || was.length !== is.length) return [whole]
  const pairs = was.map(([column, value], n) => ({ column, before: value, after: is[n]?.[1] ?? '' }))
  return pairs.every(({ column }, n) => column === is[n]?.[0]) ? pairs : [whole]
}

/** What people would say instead of a list or a group as machines write it: what is in it. */
export function plainValue(text: string): string {
  if (!/^[[{]/.test(text)) return text
  try {
    return inside(JSON.parse(text)).join(', ')
  } catch {
    return text
  }
}

/** Of each thing in a list its name is enough. */
function inside(value: unknown): string[] {
  if (Array.isArray(value))
    return value.flatMap(
      (each: { title?: string; name?: string }) => each?.title ?? each?.name ?? inside(each),
    )
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(inside)
  return value === '' || value === null ? [] : [String(value)]
}
