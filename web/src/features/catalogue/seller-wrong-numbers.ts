import type { FieldTexts } from '@/features/catalogue/seller-product-fields'
import { type MessageId, t } from '@/lib/i18n'

const WORDS: Record<string, MessageId> = { price: 'sprod.err.priceShape', unitAmount: 'sprod.err.amount' }

/** Where the browser could not read a number it hands over an empty text, which must not pass for 'nothing entered'. */
export function wrongNumbers(form: HTMLFormElement | null): FieldTexts {
  const wrong = [...(form?.elements ?? [])].filter(
    (field): field is HTMLInputElement => field instanceof HTMLInputElement && field.validity.badInput,
  )
  return Object.fromEntries(
    wrong.map(({ name, min }) => {
      const rating = min === '1' ? 'sprod.err.rating' : 'sprod.err.ratingEdit'
      return [name, t(name === 'rating' ? rating : (WORDS[name] ?? 'sprod.err.whole'))]
    }),
  )
}
