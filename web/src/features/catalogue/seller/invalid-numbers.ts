import type { FieldTexts } from '@/features/catalogue/seller/product-fields'
import { type MessageId, t } from '@/lib/i18n'

const MESSAGES: Record<string, MessageId> = {
  price: 'seller.products.err.priceFormat',
  unitAmount: 'seller.products.err.amount',
}

/** Where the browser could not read a number it hands over an empty text, which must not pass for 'nothing entered'. */
export function invalidNumbers(form: HTMLFormElement | null): FieldTexts {
  const wrong = [...(form?.elements ?? [])].filter(
    (field): field is HTMLInputElement => field instanceof HTMLInputElement && field.validity.badInput,
  )
  return Object.fromEntries(
    wrong.map(({ name, min }) => {
      const rating = min === '1' ? 'seller.products.err.rating' : 'seller.products.err.ratingEdit'
      return [name, t(name === 'rating' ? rating : (MESSAGES[name] ?? 'seller.products.err.wholeNumber'))]
    }),
  )
}
