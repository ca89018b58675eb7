import type { ComponentProps, ReactNode } from 'react'
import { SellerRows } from '@/features/shop/seller-rows'
import type { Banner } from '@/features/shop/seller-settings-api'
import {
  type Draft,
  emptyBanner,
  emptySocial,
  FIGURES,
  type FigureName,
  MOST_BANNERS,
  MOST_SOCIAL,
} from '@/features/shop/seller-settings-draft'
import { settings } from '@/lib/first-data'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { formatNumber } from '@/lib/money'
import { Field, TextField } from '@/ui/field'

/** Each field has its name as id, so that a list of problems can lead to it. */
export const fieldId = (name: string) => `shop-${name.replaceAll('.', '-')}`

type SellerSettingsFieldsProps = {
  draft: Draft
  /** What is wrong with the field of this name. */
  problem: (name: string) => string | undefined
  onChange: (changes: Partial<Draft>) => void
}

type PlainName = {
  [K in keyof Draft]: Draft[K] extends string ? K : never
}[keyof Draft]

/** All that the shop says of itself, in the groups people look for it in. */
export function SellerSettingsFields({ draft, problem, onChange }: SellerSettingsFieldsProps) {
  const t = useT()
  const lang = useLang()
  type InputProps = Omit<ComponentProps<typeof TextField>, 'label' | 'id' | 'value' | 'onChange'>
  const text = (name: PlainName, label: MessageId, more: InputProps = {}) => (
    <TextField
      id={fieldId(name)}
      label={t(label)}
      value={draft[name]}
      error={problem(name)}
      onChange={(event) => onChange({ [name]: event.target.value })}
      {...(name.endsWith('Ne') ? { lang: 'ne' } : {})}
      {...more}
    />
  )
  const long = (name: PlainName, label: MessageId, hint?: MessageId) => (
    <Field id={fieldId(name)} label={t(label)} hint={hint && t(hint)} error={problem(name)}>
      {(wiring) => (
        <textarea
          className="input"
          rows={2}
          maxLength={300}
          value={draft[name]}
          onChange={(event) => onChange({ [name]: event.target.value })}
          {...(name.endsWith('Ne') ? { lang: 'ne' } : {})}
          {...wiring}
        />
      )}
    </Field>
  )
  const figure = (name: FigureName, label: MessageId, hint?: MessageId) => {
    const [least, most] = FIGURES[name]
    const range = t('sset.range', { least: formatNumber(least, lang), most: formatNumber(most, lang) })
    return (
      <TextField
        id={fieldId(name)}
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
      id={fieldId(`grievance.${name}`)}
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
          <h2>{t('sset.off.title')}</h2>
          <ul>
            {settings.onlinePayment.length > 0 ? null : (
              <li>{t('sset.off.khalti', { key: 'KHALTI_SECRET_KEY' })}</li>
            )}
            {settings.googleSignIn ? null : <li>{t('sset.off.google', { key: 'OPENID_CLIENT_ID' })}</li>}
          </ul>
        </div>
      )}
      <Group title={t('sset.group.name')}>
        {text('brand', 'sset.brand', { required: true, mark: 'required', maxLength: 60 })}
        {text('brandNe', 'sset.brandNe', { required: true, mark: 'required', maxLength: 60 })}
        {text('tagline', 'sset.tagline', { maxLength: 300 })}
        {text('taglineNe', 'sset.taglineNe', { maxLength: 300 })}
      </Group>
      <Group title={t('sset.group.contact')} note={t('sset.group.contactNote')}>
        {text('phone', 'sset.phone', { type: 'tel', inputMode: 'tel', autoComplete: 'off' })}
        {text('email', 'sset.email', { type: 'email', inputMode: 'email', autoComplete: 'off' })}
        {text('address', 'sset.address', { autoComplete: 'off', maxLength: 300 })}
        {text('addressNe', 'sset.addressNe', { autoComplete: 'off', maxLength: 300 })}
      </Group>
      <Group title={t('sset.group.fees')} note={t('sset.group.feesNote')}>
        {figure('shippingFee', 'sset.shippingFee')}
        {figure('freeShippingAbove', 'sset.freeShippingAbove', 'sset.freeShippingAboveHint')}
        <label className="settings-check">
          <input
            id={fieldId('vatRegistered')}
            type="checkbox"
            checked={draft.vatRegistered}
            onChange={(event) => onChange({ vatRegistered: event.target.checked })}
          />
          {t('sset.vatRegistered')}
        </label>
        {figure('taxRate', 'sset.taxRate', 'sset.taxRateHint')}
      </Group>
      <Group title={t('sset.group.stock')}>
        {figure('deliveryDays', 'sset.deliveryDays', 'sset.deliveryDaysHint')}
        {figure('lowStock', 'sset.lowStock', 'sset.lowStockHint')}
      </Group>
      <Group title={t('sset.group.limits')} note={t('sset.group.limitsNote')}>
        {figure('cartLines', 'sset.cartLines')}
        {figure('largestOrder', 'sset.largestOrder')}
        {figure('openCashOrders', 'sset.openCashOrders', 'sset.newCustomerHint')}
        {figure('openCashWorth', 'sset.openCashWorth', 'sset.newCustomerHint')}
        {figure('ordersPerMinute', 'sset.ordersPerMinute')}
        {figure('ordersPerDay', 'sset.ordersPerDay', 'sset.countedHint')}
        {figure('unpaidOrders', 'sset.unpaidOrders')}
        {figure('heldPerProduct', 'sset.heldPerProduct', 'sset.newCustomerHint')}
      </Group>
      <Group title={t('sset.group.legal')} note={t('sset.group.legalNote')}>
        {text('registrationNumber', 'sset.registrationNumber', { autoComplete: 'off', maxLength: 60 })}
        {text('panNumber', 'sset.panNumber', { autoComplete: 'off', maxLength: 60 })}
      </Group>
      <Group title={t('sset.grievance')} note={t('sset.grievanceNote')}>
        {officer('name', 'sset.grievanceName', { autoComplete: 'off', maxLength: 60 })}
        {officer('phone', 'sset.phone', { type: 'tel', inputMode: 'tel', autoComplete: 'off' })}
        {officer('email', 'sset.email', { type: 'email', inputMode: 'email', autoComplete: 'off' })}
      </Group>
      <Group title={t('sset.group.delivery')} note={t('sset.group.deliveryNote')}>
        {long('deliveryPromise', 'sset.deliveryPromise')}
        {long('deliveryPromiseNe', 'sset.deliveryPromiseNe')}
      </Group>
      <Group title={t('sset.social')} wide>
        <SellerRows
          id="social"
          rows={draft.social}
          most={MOST_SOCIAL}
          empty={emptySocial}
          nameOf={({ name }, index) => name || t('sset.social.nth', { n: index + 1 })}
          add={t('sset.social.add')}
          none={t('sset.social.none')}
          onChange={(social) => onChange({ social })}
        >
          {({ name, url }, index, change) => (
            <div className="settings-pair">
              <TextField
                id={fieldId(`social.${index}.name`)}
                label={t('sset.social.name')}
                value={name}
                error={problem(`social.${index}.name`)}
                onChange={(event) => change({ name: event.target.value })}
              />
              <TextField
                id={fieldId(`social.${index}.url`)}
                label={t('sset.social.url')}
                type="url"
                inputMode="url"
                value={url}
                error={problem(`social.${index}.url`)}
                onChange={(event) => change({ url: event.target.value })}
              />
            </div>
          )}
        </SellerRows>
      </Group>
      <Group title={t('sset.banners')} note={t('sset.bannersNote')} wide>
        <SellerRows
          id="banners"
          rows={draft.banners}
          most={MOST_BANNERS}
          empty={emptyBanner}
          nameOf={({ title }, index) => title || t('sset.banner.nth', { n: index + 1 })}
          add={t('sset.banner.add')}
          none={t('sset.banner.none')}
          onChange={(banners) => onChange({ banners })}
        >
          {(banner, index, change) => (
            <>
              <div className="settings-pair">
                {BANNER_FIELDS.map(([name, label, hint]) => (
                  <TextField
                    key={name}
                    id={fieldId(`banners.${index}.${name}`)}
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
        </SellerRows>
      </Group>
    </>
  )
}

const BANNER_FIELDS: [name: keyof Banner, label: MessageId, hint?: MessageId][] = [
  ['title', 'sset.banner.title'],
  ['titleNe', 'sset.banner.titleNe'],
  ['text', 'sset.banner.text'],
  ['textNe', 'sset.banner.textNe'],
  ['href', 'sset.banner.href', 'sset.banner.hrefHint'],
]

/** As the shop shows it, in the language of whoever looks. */
function BannerPreview({ banner }: { banner: Banner }) {
  const t = useT()
  const lang = useLang()
  return (
    <figure className="settings-preview">
      <figcaption className="field-hint">{t('sset.banner.preview')}</figcaption>
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
