import type { ProductErrors } from '@/features/catalogue/seller/product-values'
import type { MessageId } from '@/lib/i18n'

const MESSAGES: Record<string, MessageId> = {
  price: 'seller.products.err.priceFormat',
  unitAmount: 'seller.products.err.amount',
}

/** A browser returns an empty text for a number that it cannot read, which must not count as 'nothing entered'. */
export function invalidNumbers(form: HTMLFormElement | null): ProductErrors {
  const wrong = [...(form?.elements ?? [])].filter(
    (field): field is HTMLInputElement => field instanceof HTMLInputElement && field.validity.badInput,
  )
  return Object.fromEntries(
    wrong.map(({ name, min }) => {
      const rating = min === '1' ? 'seller.products.err.rating' : 'seller.products.err.ratingEdit'
      return [name, name === 'rating' ? rating : (MESSAGES[name] ?? 'seller.products.err.wholeNumber')]
    }),
  )
}
