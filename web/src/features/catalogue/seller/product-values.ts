import { type ConflictChoice, mergeEdits } from '@/features/catalogue/seller/merge-edits'
import { isPrice, isWholeNumber } from '@/features/catalogue/seller/number-format'
import { regularPrice, type SellerProduct } from '@/features/catalogue/seller/products-api'
import type { MessageId } from '@/lib/i18n'

/** The values of a product's form: texts, as typed. */
export type ProductValues = {
  name: string
  description: string
  category: string
  price: string
  rating: string
  reviews: string
  tags: string[]
  stock: string
  nameNe: string
  descriptionNe: string
  aliases: string[]
  tagsNe: string[]
  unitAmount: string
  unitMeasure: string
  unitLabel: string
  unitLabelNe: string
  taxClass: string
  barcode: string
  soldByWeight: string
}
export type ProductField = keyof ProductValues
/** The fields of a product's form, with those for pictures, whose values are not texts. */
export type ProductFormField = ProductField | 'image' | 'moreImages'
export type ProductErrors = Partial<Record<ProductFormField, MessageId>>

export const EMPTY_PRODUCT: ProductValues = {
  name: '',
  description: '',
  category: '',
  price: '',
  rating: '',
  reviews: '',
  tags: [],
  stock: '',
  nameNe: '',
  descriptionNe: '',
  aliases: [],
  tagsNe: [],
  unitAmount: '',
  unitMeasure: '',
  unitLabel: '',
  unitLabelNe: '',
  taxClass: 'standard',
  barcode: '',
  soldByWeight: '',
}
export const PRODUCT_FIELDS = Object.keys(EMPTY_PRODUCT) as ProductField[]

/** The fields in the section 'More'. */
export const OPTIONAL_FIELDS: ProductField[] = [
  'nameNe',
  'descriptionNe',
  'aliases',
  'tagsNe',
  'unitAmount',
  'unitMeasure',
  'unitLabel',
  'unitLabelNe',
  'taxClass',
  'barcode',
  'soldByWeight',
]

export function productValues(product: SellerProduct): ProductValues {
  return {
    name: product.name,
    description: product.description,
    category: product.category,
    price: String(regularPrice(product)),
    rating: String(product.rating),
    reviews: String(product.reviews),
    tags: product.tags,
    stock: String(product.stock),
    nameNe: product.nameNe ?? '',
    descriptionNe: product.descriptionNe ?? '',
    aliases: product.aliases,
    tagsNe: product.tagsNe,
    unitAmount: product.unit ? String(product.unit.amount) : '',
    unitMeasure: product.unit?.measure ?? '',
    unitLabel: product.unit?.label ?? '',
    unitLabelNe: product.unit?.labelNe ?? '',
    taxClass: product.taxClass,
    barcode: product.barcode ?? '',
    soldByWeight: product.soldByWeight ? 'yes' : '',
  }
}

/** The text that is sent: trimmed, with lists joined by commas. */
export function toFieldText(value: string | string[]): string {
  return typeof value === 'string' ? value.trim() : value.join(', ')
}

const sameValue = (a: string | string[], b: string | string[]) => toFieldText(a) === toFieldText(b)

export const changedFields = (before: ProductValues, after: ProductValues): ProductField[] =>
  PRODUCT_FIELDS.filter((field) => !sameValue(before[field], after[field]))

const pickFields = (values: ProductValues, names: ProductField[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, toFieldText(values[name])]))

/** The specification's fields are always sent; the others only when they are filled in. */
const ALWAYS_SENT = ['name', 'description', 'category', 'price', 'rating', 'reviews', 'tags', 'stock']
export const fieldsToAdd = (values: ProductValues) =>
  pickFields(
    values,
    PRODUCT_FIELDS.filter(
      (name) => ALWAYS_SENT.includes(name) || !sameValue(values[name], EMPTY_PRODUCT[name]),
    ),
  )

/**
 * Sends only changed fields, so that changes by other sellers stay. `stockWas` lets the server apply the difference,
 * because products are sold while the form is open. The version protects the texts and the picture, which a sale does
 * not change.
 */
export function fieldsToUpdate(
  product: SellerProduct,
  values: ProductValues,
  withPicture = false,
): Record<string, string> {
  const changed = changedFields(productValues(product), values)
  const fields = pickFields(values, changed)
  if ('stock' in fields) {
    fields.stock = fields.stock || '0'
    fields.stockWas = String(product.stock)
  }
  const onlyStock = changed.length === 1 && 'stock' in fields && !withPicture
  if (!onlyStock) fields.version = product.version
  return fields
}

/** Merges the values; a changed stock is applied as a difference to the current stock. */
export function mergeValues(
  opened: SellerProduct,
  mine: ProductValues,
  fresh: SellerProduct,
  choice: ConflictChoice,
): ProductValues {
  const before = productValues(opened)
  const merged = mergeEdits(changedFields, before, mine, productValues(fresh), choice)
  if (changedFields(before, mine).includes('stock'))
    merged.stock = rebaseStock(opened.stock, mine.stock, fresh.stock)
  return merged
}

/** A text that is not a number stays as typed, and the check reports it. */
function rebaseStock(before: number, typed: string, now: number): string {
  const stock = typed.trim() || '0'
  return isWholeNumber(stock) ? String(Math.max(0, now + Number(stock) - before)) : typed
}

const TENTHS = /^\d(\.\d)?$/
const AMOUNT = /^\d{1,6}(\.\d{1,3})?$/

/**
 * A new product has a rating of at least 1 or none; an existing one may go back to 0. Only `touched` fields of an
 * existing product are checked: one that was imported without a description can still get a new price.
 */
export function checkProduct(
  values: ProductValues,
  lowestRating: 0 | 1,
  touched = PRODUCT_FIELDS,
): ProductErrors {
  const errors: ProductErrors = {}
  for (const name of ['name', 'description', 'category', 'price'] as const)
    if (!values[name].trim()) errors[name] = `seller.products.err.${name}`
  if (!errors.price && !isPrice(values.price)) errors.price = 'seller.products.err.priceFormat'
  const rating = values.rating.trim()
  if (rating && !(TENTHS.test(rating) && Number(rating) >= lowestRating && Number(rating) <= 5))
    errors.rating = lowestRating === 1 ? 'seller.products.err.rating' : 'seller.products.err.ratingEdit'
  for (const name of ['reviews', 'stock'] as const)
    if (values[name].trim() && !isWholeNumber(values[name])) errors[name] = 'seller.products.err.wholeNumber'
  const amount = values.unitAmount.trim()
  if (amount && !(AMOUNT.test(amount) && Number(amount) > 0)) errors.unitAmount = 'seller.products.err.amount'
  else if (amount && !values.unitMeasure) errors.unitMeasure = 'seller.products.err.measure'
  else if (!amount && values.unitMeasure) errors.unitAmount = 'seller.products.err.amountMissing'
  const pack = touched.includes('unitAmount') || touched.includes('unitMeasure')
  const looked = PRODUCT_FIELDS.filter((name) => touched.includes(name) || (pack && name.startsWith('unit')))
  return Object.fromEntries(looked.flatMap((name) => (errors[name] ? [[name, errors[name]]] : [])))
}
