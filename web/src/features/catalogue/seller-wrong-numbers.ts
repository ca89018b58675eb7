import type { FieldTexts } from '@/features/catalogue/seller-product-fields'
import { t } from '@/lib/i18n'

/** Where the browser could not read a number it hands over an empty text, which must not pass for 'nothing entered'. */
export function wrongNumbers(form: HTMLFormElement | null): FieldTexts {
  const wrong = [...(form?.elements ?? [])].filter(
    (field): field is HTMLInputElement => field instanceof HTMLInputElement && field.validity.badInput,
  )
  return Object.fromEntries(
    wrong.map(({ name }) => [
      name,
      t(
        name === 'price'
          ? 'sprod.err.priceShape'
          : name === 'unitAmount'
            ? 'sprod.err.amount'
            : 'sprod.err.whole',
      ),
    ]),
  )
}
