import {
  changedFields,
  EMPTY_PRODUCT,
  PRODUCT_FIELDS,
  type ProductValues,
} from '@/features/catalogue/seller/product-values'

/** Reads the draft that this tab has stored. An invalid draft is ignored. */
export function readDraft(key: string): ProductValues | null {
  try {
    const draft = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Record<string, unknown> | null
    if (!draft) return null
    const texts = (value: unknown) => Array.isArray(value) && value.every((each) => typeof each === 'string')
    const fits = PRODUCT_FIELDS.filter((field) =>
      Array.isArray(EMPTY_PRODUCT[field]) ? texts(draft[field]) : typeof draft[field] === 'string',
    )
    const values = { ...EMPTY_PRODUCT, ...Object.fromEntries(fits.map((field) => [field, draft[field]])) }
    return isEmpty(values) ? null : values
  } catch {
    return null
  }
}

export function saveDraft(key: string, values: ProductValues) {
  try {
    if (isEmpty(values)) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(values))
  } catch {
    // Where storage is forbidden, nothing is stored.
  }
}

/** Discards the draft that was sent. A newer draft, perhaps begun after coming back, stays. */
export function discardDraft(key: string, sent: ProductValues) {
  const draft = readDraft(key)
  if (draft && changedFields(draft, sent).length === 0) saveDraft(key, EMPTY_PRODUCT)
}

const isEmpty = (values: ProductValues) => changedFields(EMPTY_PRODUCT, values).length === 0
