import { useState } from 'react'
import { ApiError } from '@/api/client'
import { serverText } from '@/api/server-text'
import { type Coupon, type CouponTerms, couponsApi } from '@/features/coupons/seller/coupons-api'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { useT } from '@/lib/i18n'
import { latinDigits } from '@/lib/latin-digits'
import { Dialog } from '@/ui/dialog'
import { SelectField, TextField } from '@/ui/field'
import { FormProblem } from '@/ui/form-problem'
import { latinDigitsRef } from '@/ui/latin-digits-ref'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { type FormErrors, failure, type ReadField, useForm } from '@/ui/use-form'

const NAMES = [
  'code',
  'percent',
  'maxDiscount',
  'amount',
  'minimum',
  'startsAt',
  'endsAt',
  'usesPerCustomer',
  'totalUses',
  'about',
  'aboutNe',
] as const
type Name = (typeof NAMES)[number]
type Kind = 'percent' | 'amount'

const TEXTS = { refused: 'seller.coupons.failed', broken: 'seller.coupons.error' } as const

/** Creates a coupon, or changes one; its code stays as it is. */
export function CouponForm({ coupon, onClose }: { coupon: Coupon | null; onClose: () => void }) {
  const t = useT()
  const [kind, setKind] = useState<Kind>(coupon?.amount != null ? 'amount' : 'percent')
  const form = useForm<Name>({
    id: 'coupon-form',
    names: NAMES,
    check: (read) => checkTerms(read, kind, coupon === null),
    onError: (error) => {
      if (handleSellerSessionEnded(error)) return null
      const named =
        error instanceof ApiError ? (error.data as { field?: string } | undefined)?.field : undefined
      if (error instanceof ApiError && error.code === 'coupon_changed') void couponsApi.reload()
      return failure(
        serverText(error, TEXTS),
        NAMES.find((name) => name === named),
      )
    },
  })
  const save = form.bind(async (read) => {
    const terms = readTerms(read, kind, coupon)
    await (coupon ? couponsApi.update(coupon, terms) : couponsApi.add(read('code').trim(), terms))
    toast.success('seller.coupons.saved')
    onClose()
  })
  const number = { ref: latinDigitsRef, inputMode: 'decimal', autoComplete: 'off' } as const
  const text = (value: number | null | undefined) => (value == null ? '' : String(value))
  return (
    <Dialog
      id="coupon-dialog"
      variant="form"
      title={coupon ? t('seller.coupons.editTitle', { code: coupon.code }) : t('seller.coupons.add')}
      onClose={onClose}
    >
      <form className="form" {...save}>
        {coupon ? null : (
          <TextField
            {...form.field('code')}
            label={t('seller.coupons.code')}
            hint={t('seller.coupons.codeHint')}
            autoCapitalize="characters"
            autoComplete="off"
            spellCheck={false}
            maxLength={20}
            required
          />
        )}
        <SelectField
          label={t('seller.coupons.kind')}
          value={kind}
          onChange={(event) => setKind(event.target.value as Kind)}
        >
          <option value="percent">{t('seller.coupons.kindPercent')}</option>
          <option value="amount">{t('seller.coupons.kindAmount')}</option>
        </SelectField>
        {kind === 'percent' ? (
          <div className="coupon-pair" key="percent">
            <TextField
              {...form.field('percent')}
              {...number}
              label={t('seller.coupons.percent')}
              defaultValue={text(coupon?.percent)}
              required
            />
            <TextField
              {...form.field('maxDiscount')}
              {...number}
              label={t('seller.coupons.maxDiscount')}
              mark="optional"
              defaultValue={text(coupon?.maxDiscount)}
            />
          </div>
        ) : (
          <TextField
            key="amount"
            {...form.field('amount')}
            {...number}
            label={t('seller.coupons.amount')}
            defaultValue={text(coupon?.amount)}
            required
          />
        )}
        <TextField
          {...form.field('minimum')}
          {...number}
          label={t('seller.coupons.minimum')}
          mark="optional"
          defaultValue={coupon?.minimum ? String(coupon.minimum) : ''}
        />
        <TextField
          {...form.field('startsAt')}
          label={t('seller.coupons.from')}
          hint={t('seller.coupons.fromHint')}
          type="datetime-local"
          defaultValue={coupon ? toEntered(coupon.startsAt) : ''}
        />
        <TextField
          {...form.field('endsAt')}
          label={t('seller.coupons.until')}
          hint={t('seller.coupons.untilHint')}
          type="datetime-local"
          defaultValue={coupon ? toEntered(coupon.endsAt) : ''}
          required
        />
        <div className="coupon-pair">
          <TextField
            {...form.field('usesPerCustomer')}
            {...number}
            label={t('seller.coupons.perCustomer')}
            defaultValue={text(coupon?.usesPerCustomer ?? 1)}
            required
          />
          <TextField
            {...form.field('totalUses')}
            {...number}
            label={t('seller.coupons.totalUses')}
            hint={t('seller.coupons.totalHint')}
            defaultValue={text(coupon?.totalUses)}
          />
        </div>
        <label className="checkbox-label">
          <input type="checkbox" name="public" value="yes" defaultChecked={coupon?.public ?? true} />
          {t('seller.coupons.public')}
        </label>
        <TextField
          {...form.field('about')}
          label={t('seller.coupons.about')}
          mark="optional"
          maxLength={200}
          defaultValue={coupon?.about ?? ''}
        />
        <TextField
          {...form.field('aboutNe')}
          label={t('seller.coupons.aboutNe')}
          mark="optional"
          maxLength={200}
          lang="ne"
          defaultValue={coupon?.aboutNe ?? ''}
        />
        <FormProblem problem={form.problem} />
        <SubmitButton busy={form.busy} wide>
          {t('seller.coupons.save')}
        </SubmitButton>
      </form>
    </Dialog>
  )
}

const plain = (text: string) => latinDigits(text).replaceAll(',', '').trim()
const isAmount = (text: string) => /^\d{1,9}(\.\d{1,2})?$/.test(plain(text))
const isCount = (text: string) => /^[1-9]\d{0,6}$/.test(plain(text))

function checkTerms(read: ReadField, kind: Kind, isNew: boolean): FormErrors<Name> {
  const amount = (name: Name, optional: boolean) =>
    isAmount(read(name)) || (optional && !read(name).trim()) ? undefined : 'seller.coupons.err.amount'
  const percent = Number(plain(read('percent')))
  const count = (text: string) => (isCount(text) ? undefined : 'seller.coupons.err.uses')
  return {
    code: !isNew || /^[a-z0-9-]{3,20}$/i.test(read('code').trim()) ? undefined : 'seller.coupons.err.code',
    ...(kind === 'percent'
      ? {
          percent:
            Number.isInteger(percent) && percent >= 1 && percent <= 90
              ? undefined
              : 'seller.coupons.err.percent',
          maxDiscount: amount('maxDiscount', true),
        }
      : { amount: amount('amount', false) }),
    minimum: amount('minimum', true),
    endsAt: read('endsAt') ? undefined : 'seller.coupons.err.until',
    usesPerCustomer: count(read('usesPerCustomer')),
    totalUses: read('totalUses').trim() ? count(read('totalUses')) : undefined,
  }
}

function readTerms(read: ReadField, kind: Kind, coupon: Coupon | null): CouponTerms {
  const value = (name: Name) => (read(name).trim() ? Number(plain(read(name))) : null)
  const startsAt = read('startsAt')
  return {
    percent: kind === 'percent' ? value('percent') : null,
    maxDiscount: kind === 'percent' ? value('maxDiscount') : null,
    amount: kind === 'amount' ? value('amount') : null,
    minimum: value('minimum') ?? 0,
    ...(startsAt ? { startsAt: toMoment(startsAt) } : {}),
    endsAt: toMoment(read('endsAt')),
    usesPerCustomer: value('usesPerCustomer'),
    totalUses: value('totalUses'),
    active: coupon?.active ?? true,
    public: read('public') === 'yes',
    about: read('about'),
    aboutNe: read('aboutNe'),
  }
}

const NEPAL_MS = (5 * 60 + 45) * 60_000

/** A time of day as it is entered, which is that of Nepal wherever the seller is. */
const toMoment = (entered: string) => new Date(`${entered}+05:45`).toISOString()

/** The reverse: the moment as a field for day and time shows it. */
const toEntered = (iso: string) => new Date(new Date(iso).getTime() + NEPAL_MS).toISOString().slice(0, 16)
