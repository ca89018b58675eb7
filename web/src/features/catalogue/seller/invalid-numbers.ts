import type { FieldTexts } from '@/features/catalogue/seller/product-fields'
import { type MessageId, t } from '@/lib/i18n'

const MESSAGES: Record<string, MessageId> = {
  price: 'seller.products.err.priceFormat',
  unitAmount: 'seller.products.err.amount',
}

/** A browser returns an empty text for a number that it cannot read, which must not count as 'nothing entered'. */
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
