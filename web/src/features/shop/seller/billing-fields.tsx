import type { ShopSettings } from '@/features/shop/seller/settings-api'
import { useT } from '@/lib/i18n'
import { Field, TextField } from '@/ui/field'
import { fieldId } from '@/ui/use-form'

type Billing = ShopSettings['billing']
type BillingFieldsProps = {
  billing: Billing
  /** Returns the problem with the field of this name. */
  problem: (name: string) => string | undefined
  onChange: (changes: Partial<Billing>) => void
}

const DOCUMENTS = ['order_receipt', 'bill'] as const
const MOMENTS = ['delivery', 'dispatch'] as const
const idOf = (name: string) => fieldId('shop', `billing.${name}`)

/** How the shop bills its orders. */
export function BillingFields({ billing, problem, onChange }: BillingFieldsProps) {
  const t = useT()
  return (
    <fieldset className="settings-group">
      <legend>{t('seller.settings.group.billing')}</legend>
      <p className="field-hint">{t('seller.settings.group.billingNote')}</p>
      <div className="settings-pair">
        <Field id={idOf('document')} label={t('seller.settings.billing.document')}>
          {(control) => (
            <select
              className="input"
              {...control}
              value={billing.document}
              onChange={(event) => onChange({ document: event.target.value as Billing['document'] })}
            >
              {DOCUMENTS.map((document) => (
                <option key={document} value={document}>
                  {t(`seller.settings.billing.document.${document}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field id={idOf('issueAt')} label={t('seller.settings.billing.issueAt')}>
          {(control) => (
            <select
              className="input"
              {...control}
              value={billing.issueAt}
              onChange={(event) => onChange({ issueAt: event.target.value as Billing['issueAt'] })}
            >
              {MOMENTS.map((moment) => (
                <option key={moment} value={moment}>
                  {t(`seller.settings.billing.issueAt.${moment}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <TextField
          id={idOf('outlet')}
          label={t('seller.settings.billing.outlet')}
          hint={t('seller.settings.billing.outletHint')}
          maxLength={6}
          autoComplete="off"
          value={billing.outlet}
          error={problem('billing.outlet')}
          onChange={(event) => onChange({ outlet: event.target.value.toUpperCase() })}
        />
        <label className="settings-check">
          <input
            id={idOf('abbreviatedPermitted')}
            type="checkbox"
            checked={billing.abbreviatedPermitted}
            onChange={(event) => onChange({ abbreviatedPermitted: event.target.checked })}
          />
          {t('seller.settings.billing.abbreviatedPermitted')}
        </label>
      </div>
    </fieldset>
  )
}
