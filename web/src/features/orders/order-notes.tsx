import type { CartLine } from '@/features/cart/use-cart-lines'
import { CHOICES, orderNotes } from '@/features/orders/order-notes-store'
import { useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { LongField, SelectField } from '@/ui/field'
import { OptionalFields } from '@/ui/optional-fields'

/** The longest note that the server accepts. */
const MAX_NOTE = 300

/** Notes for the shop and the rider, and what to do if a product is not available. */
export function OrderNotesFields({ lines }: { lines: CartLine[] }) {
  const t = useT()
  const lang = useLang()
  const notes = orderNotes.use()
  const change = (changes: Partial<typeof notes>) => orderNotes.set({ ...notes, ...changes })
  const choices = Object.entries(CHOICES).map(([choice, text]) => (
    <option key={choice} value={choice}>
      {t(text)}
    </option>
  ))
  return (
    <section className="box order-notes">
      <OptionalFields title={t('notes.title')}>
        <LongField
          label={t('notes.shop')}
          hint={t('notes.shopHint')}
          rows={2}
          maxLength={MAX_NOTE}
          value={notes.shop}
          onChange={(event) => change({ shop: event.target.value })}
        />
        <LongField
          label={t('notes.rider')}
          hint={t('notes.riderHint')}
          rows={2}
          maxLength={MAX_NOTE}
          value={notes.rider}
          onChange={(event) => change({ rider: event.target.value })}
        />
        <SelectField
          label={t('ifUnavailable.title')}
          value={notes.ifUnavailable}
          onChange={(event) => change({ ifUnavailable: event.target.value })}
        >
          <option value="">{t('ifUnavailable.shopDecides')}</option>
          {choices}
        </SelectField>
        {lines.length > 1 ? (
          <details className="order-notes-lines">
            <summary>{t('ifUnavailable.perLine')}</summary>
            {lines.map(({ id, product }) =>
              product ? (
                <SelectField
                  key={id}
                  label={localText(product, 'name', lang)}
                  value={notes.lines[id] ?? ''}
                  onChange={(event) => change({ lines: { ...notes.lines, [id]: event.target.value } })}
                >
                  <option value="">{t('ifUnavailable.asOrder')}</option>
                  {choices}
                </SelectField>
              ) : null,
            )}
          </details>
        ) : null}
      </OptionalFields>
    </section>
  )
}
