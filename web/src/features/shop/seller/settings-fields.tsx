import type { ComponentProps, ReactNode } from 'react'
import { BillingFields } from '@/features/shop/seller/billing-fields'
import { EditableList } from '@/features/shop/seller/editable-list'
import type { Banner } from '@/features/shop/seller/settings-api'
import {
  type Draft,
  emptyBanner,
  emptySocial,
  MAX_BANNERS,
  MAX_SOCIAL,
  NUMBER_FIELDS,
  type NumberFieldName,
} from '@/features/shop/seller/settings-draft'
import { settings } from '@/lib/first-data'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { formatNumber } from '@/lib/money'
import { LongField, TextField } from '@/ui/field'
import { fieldId } from '@/ui/use-form'

export const SETTINGS_FORM = 'shop'
/** The id of each field contains its name, so that the error summary can link to it. */
const idOf = (name: string) => fieldId(SETTINGS_FORM, name)

type SellerSettingsFieldsProps = {
  draft: Draft
  /** Returns the problem with the field of this name. */
  problem: (name: string) => string | undefined
  onChange: (changes: Partial<Draft>) => void
}

type PlainName = {
  [K in keyof Draft]: Draft[K] extends string ? K : never
}[keyof Draft]

/** All settings of the shop, in groups. */
export function SellerSettingsFields({ draft, problem, onChange }: SellerSettingsFieldsProps) {
  const t = useT()
  const lang = useLang()
  type InputProps = Omit<ComponentProps<typeof TextField>, 'label' | 'id' | 'value' | 'onChange'>
  const text = (name: PlainName, label: MessageId, more: InputProps = {}) => (
    <TextField
      id={idOf(name)}
      label={t(label)}
      value={draft[name]}
      error={problem(name)}
      onChange={(event) => onChange({ [name]: event.target.value })}
      {...(name.endsWith('Ne') ? { lang: 'ne' } : {})}
      {...more}
    />
  )
  const long = (name: PlainName, label: MessageId, hint?: MessageId) => (
    <LongField
      id={idOf(name)}
      label={t(label)}
      hint={hint && t(hint)}
      error={problem(name)}
      rows={2}
      maxLength={300}
      value={draft[name]}
      onChange={(event) => onChange({ [name]: event.target.value })}
      {...(name.endsWith('Ne') ? { lang: 'ne' } : {})}
    />
  )
  const figure = (name: NumberFieldName, label: MessageId, hint?: MessageId) => {
    const [least, most] = NUMBER_FIELDS[name]
    const range = t('seller.settings.range', {
      least: formatNumber(least, lang),
      most: formatNumber(most, lang),
    })
    return (
      <TextField
        id={idOf(name)}
        label={t(label)}
        hint={hint ? `${t(hint)} ${range}` : range}
        inputMode="decimal"
        autoComplete="off"
        value={draft[name]}
        error={problem(name)}
        onChange={(event) => onChange({ [name]: event.target.value })}
      />
    )
  }
  const officer = (name: keyof Draft['grievance'], label: MessageId, more: InputProps = {}) => (
    <TextField
      id={idOf(`grievance.${name}`)}
      label={t(label)}
      value={draft.grievance[name]}
      error={problem(`grievance.${name}`)}
      onChange={(event) => onChange({ grievance: { ...draft.grievance, [name]: event.target.value } })}
      {...more}
    />
  )
  return (
    <>
      {settings.onlinePayment.length > 0 && settings.googleSignIn ? null : (
        <div className="settings-off" data-testid="switched-off">
          <h2>{t('seller.settings.disabled.title')}</h2>
          <ul>
            {settings.onlinePayment.length > 0 ? null : (
              <li>{t('seller.settings.disabled.khalti', { key: 'KHALTI_SECRET_KEY' })}</li>
            )}
            {settings.googleSignIn ? null : (
              <li>{t('seller.settings.disabled.google', { key: 'OPENID_CLIENT_ID' })}</li>
            )}
          </ul>
        </div>
      )}
      <Group title={t('seller.settings.group.name')}>
        {text('brand', 'seller.settings.brand', { required: true, mark: 'required', maxLength: 60 })}
        {text('brandNe', 'seller.settings.brandNe', { required: true, mark: 'required', maxLength: 60 })}
        {text('tagline', 'seller.settings.tagline', { maxLength: 300 })}
        {text('taglineNe', 'seller.settings.taglineNe', { maxLength: 300 })}
      </Group>
      <Group title={t('seller.settings.group.contact')} note={t('seller.settings.group.contactNote')}>
        {text('phone', 'seller.settings.phone', { type: 'tel', inputMode: 'tel', autoComplete: 'off' })}
        {text('email', 'seller.settings.email', { type: 'email', inputMode: 'email', autoComplete: 'off' })}
        {text('address', 'seller.settings.address', { autoComplete: 'off', maxLength: 300 })}
        {text('addressNe', 'seller.settings.addressNe', { autoComplete: 'off', maxLength: 300 })}
      </Group>
      <Group title={t('seller.settings.group.fees')} note={t('seller.settings.group.feesNote')}>
        {figure('shippingFee', 'seller.settings.shippingFee')}
        {figure(
          'freeShippingAbove',
          'seller.settings.freeShippingAbove',
          'seller.settings.freeShippingAboveHint',
        )}
        <label className="settings-check">
          <input
            id={idOf('vatRegistered')}
            type="checkbox"
            checked={draft.vatRegistered}
            onChange={(event) => onChange({ vatRegistered: event.target.checked })}
          />
          {t('seller.settings.vatRegistered')}
        </label>
        {figure('taxRate', 'seller.settings.taxRate', 'seller.settings.taxRateHint')}
        <label className="settings-check">
          <input
            id={idOf('pricesIncludeTax')}
            type="checkbox"
            checked={draft.pricesIncludeTax}
            onChange={(event) => onChange({ pricesIncludeTax: event.target.checked })}
          />
          {t('seller.settings.pricesIncludeTax')}
        </label>
        {figure('weightTolerance', 'seller.settings.weightTolerance', 'seller.settings.weightToleranceHint')}
      </Group>
      <Group title={t('seller.settings.group.stock')}>
        {figure('deliveryDays', 'seller.settings.deliveryDays', 'seller.settings.deliveryDaysHint')}
        {figure('lowStock', 'seller.settings.lowStock', 'seller.settings.lowStockHint')}
      </Group>
      <Group title={t('seller.settings.group.limits')} note={t('seller.settings.group.limitsNote')}>
        {figure('cartLines', 'seller.settings.cartLines')}
        {figure('largestOrder', 'seller.settings.largestOrder')}
        {figure('openCashOrders', 'seller.settings.openCashOrders', 'seller.settings.newCustomerHint')}
        {figure('openCashWorth', 'seller.settings.openCashTotal', 'seller.settings.newCustomerHint')}
        {figure('ordersPerMinute', 'seller.settings.ordersPerMinute')}
        {figure('ordersPerDay', 'seller.settings.ordersPerDay', 'seller.settings.countedHint')}
        {figure('unpaidOrders', 'seller.settings.unpaidOrders')}
        {figure('heldPerProduct', 'seller.settings.heldPerProduct', 'seller.settings.newCustomerHint')}
      </Group>
      <Group title={t('seller.settings.group.legal')} note={t('seller.settings.group.legalNote')}>
        {text('registrationNumber', 'seller.settings.registrationNumber', {
          autoComplete: 'off',
          maxLength: 60,
        })}
        {text('panNumber', 'seller.settings.panNumber', { autoComplete: 'off', maxLength: 60 })}
      </Group>
      <BillingFields
        billing={draft.billing}
        problem={problem}
        onChange={(changes) => onChange({ billing: { ...draft.billing, ...changes } })}
      />
      <Group title={t('seller.settings.grievance')} note={t('seller.settings.grievanceNote')}>
        {officer('name', 'seller.settings.grievanceName', { autoComplete: 'off', maxLength: 60 })}
        {officer('phone', 'seller.settings.phone', { type: 'tel', inputMode: 'tel', autoComplete: 'off' })}
        {officer('email', 'seller.settings.email', {
          type: 'email',
          inputMode: 'email',
          autoComplete: 'off',
        })}
      </Group>
      <Group title={t('seller.settings.group.delivery')} note={t('seller.settings.group.deliveryNote')}>
        {long('deliveryPromise', 'seller.settings.deliveryPromise')}
        {long('deliveryPromiseNe', 'seller.settings.deliveryPromiseNe')}
      </Group>
      <Group title={t('seller.settings.social')} wide>
        <EditableList
          id="social"
          rows={draft.social}
          most={MAX_SOCIAL}
          empty={emptySocial}
          nameOf={({ name }, index) => name || t('seller.settings.social.nth', { n: index + 1 })}
          add={t('seller.settings.social.add')}
          none={t('seller.settings.social.none')}
          onChange={(social) => onChange({ social })}
        >
          {({ name, url }, index, change) => (
            <div className="settings-pair">
              <TextField
                id={idOf(`social.${index}.name`)}
                label={t('seller.settings.social.name')}
                value={name}
                error={problem(`social.${index}.name`)}
                onChange={(event) => change({ name: event.target.value })}
              />
              <TextField
                id={idOf(`social.${index}.url`)}
                label={t('seller.settings.social.url')}
                type="url"
                inputMode="url"
                value={url}
                error={problem(`social.${index}.url`)}
                onChange={(event) => change({ url: event.target.value })}
              />
            </div>
          )}
        </EditableList>
      </Group>
      <Group title={t('seller.settings.banners')} note={t('seller.settings.bannersNote')} wide>
        <EditableList
          id="banners"
          rows={draft.banners}
          most={MAX_BANNERS}
          empty={emptyBanner}
          nameOf={({ title }, index) => title || t('seller.settings.banner.nth', { n: index + 1 })}
          add={t('seller.settings.banner.add')}
          none={t('seller.settings.banner.none')}
          onChange={(banners) => onChange({ banners })}
        >
          {(banner, index, change) => (
            <>
              <div className="settings-pair">
                {BANNER_FIELDS.map(([name, label, hint]) => (
                  <TextField
                    key={name}
                    id={idOf(`banners.${index}.${name}`)}
                    label={t(label)}
                    hint={hint && t(hint)}
                    value={banner[name]}
                    error={problem(`banners.${index}.${name}`)}
                    onChange={(event) => change({ [name]: event.target.value })}
                    {...(name.endsWith('Ne') ? { lang: 'ne' } : {})}
                  />
                ))}
              </div>
              <BannerPreview banner={banner} />
            </>
          )}
        </EditableList>
      </Group>
    </>
  )
}

const BANNER_FIELDS: [name: keyof Banner, label: MessageId, hint?: MessageId][] = [
  ['title', 'seller.settings.banner.title'],
  ['titleNe', 'seller.settings.banner.titleNe'],
  ['text', 'seller.settings.banner.text'],
  ['textNe', 'seller.settings.banner.textNe'],
  ['href', 'seller.settings.banner.href', 'seller.settings.banner.hrefHint'],
]

/** A preview of the banner in the current language. */
function BannerPreview({ banner }: { banner: Banner }) {
  const t = useT()
  const lang = useLang()
  return (
    <figure className="settings-preview">
      <figcaption className="field-hint">{t('seller.settings.banner.preview')}</figcaption>
      <div className="ad-slot" data-testid="banner-preview">
        <div className="ad-banner">
          <strong>{localText(banner, 'title', lang)}</strong>
          <span>{localText(banner, 'text', lang)}</span>
        </div>
      </div>
    </figure>
  )
}

type GroupProps = { title: string; note?: string; wide?: boolean; children: ReactNode }

function Group({ title, note, wide = false, children }: GroupProps) {
  return (
    <fieldset className="settings-group">
      <legend>{title}</legend>
      {note ? <p className="field-hint">{note}</p> : null}
      <div className={wide ? undefined : 'settings-pair'}>{children}</div>
    </fieldset>
  )
}
