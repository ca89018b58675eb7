import { CASH } from '@/features/orders/cash'
import { settings } from '@/lib/first-data'
import { useLang, useT } from '@/lib/i18n'
import { formatMoney, type Paisa } from '@/lib/money'

/** Cash or a wallet; online without a wallet means that none has been chosen yet. */
export type Payment = { online: boolean; wallet: string | null }

export const PAY_CASH: Payment = { online: false, wallet: null }

/** The method's name in the specification, or nothing while the choice is incomplete. */
export const methodOf = ({ online, wallet }: Payment) => (online ? wallet : CASH)

type PaymentChoiceProps = { payment: Payment; total: Paisa; onChange: (next: Payment) => void }

export function PaymentChoice({ payment, total, onChange }: PaymentChoiceProps) {
  const t = useT()
  const lang = useLang()
  const { online, wallet } = payment
  return (
    <section className="box" id="payment">
      <fieldset className="choices">
        <legend>{t('cart.payment')}</legend>
        <label className="choice">
          <input type="radio" name="payment" checked={!online} onChange={() => onChange(PAY_CASH)} />
          <span>
            {t('paymentMethod.cod')}
            {online ? null : (
              <span className="choice-text">
                {t('cart.cash', { total: formatMoney(total, lang, 'always') })}
              </span>
            )}
          </span>
        </label>
        {settings.onlinePayment.length > 0 ? (
          <label className="choice">
            <input
              type="radio"
              name="payment"
              checked={online}
              onChange={() => onChange({ online: true, wallet: null })}
            />
            <span>{t('paymentMethod.online')}</span>
          </label>
        ) : null}
      </fieldset>
      {online ? (
        <fieldset className="choices choices-inner">
          <legend>{t('cart.wallet')}</legend>
          {settings.onlinePayment.map((name) => (
            <label key={name} className="choice">
              <input
                type="radio"
                name="wallet"
                checked={wallet === name}
                onChange={() => onChange({ online: true, wallet: name })}
              />
              <span translate="no">{name}</span>
            </label>
          ))}
        </fieldset>
      ) : null}
    </section>
  )
}
