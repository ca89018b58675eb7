import '@/styles/forms.css'
import '@/styles/seller-first-steps.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useId, useState } from 'react'
import { type Seller, sessions } from '@/features/accounts/session'
import { deliveryRules } from '@/features/delivery/seller/rules-api'
import { orderCounts } from '@/features/orders/seller/order-counts'
import { lowStock } from '@/features/reports/overview-api'
import { shopSettings } from '@/features/shop/seller/settings-api'
import { may } from '@/features/staff/permissions'
import { settings } from '@/lib/first-data'
import { useLang, useT } from '@/lib/i18n'
import { formatNumber } from '@/lib/money'
import { paths } from '@/lib/paths'
import { CheckIcon, CloseIcon } from '@/ui/icons'
import { toast } from '@/ui/toast'

const FIRST_PRODUCTS = 10
const NAMES = ['contact', 'delivery', 'payment', 'products', 'test'] as const
type StepName = (typeof NAMES)[number]

/** What a member of staff needs to be allowed to do to finish the step. */
const PERMISSIONS: Record<StepName, string> = {
  contact: 'settings.edit',
  delivery: 'settings.edit',
  payment: 'settings.edit',
  products: 'products.edit',
  test: 'orders.read',
}

/** What the seller has decided on this device: the list is closed, or cash is enough. */
type Decision = 'closed' | 'cash'
const keyOf = (seller: Seller | null | undefined, name: Decision) =>
  `first-steps.${name}.${seller?.email ?? ''}`

function useDecision(seller: Seller | null | undefined, name: Decision) {
  const key = keyOf(seller, name)
  const read = () => {
    try {
      return localStorage.getItem(key) === 'yes'
    } catch {
      return false
    }
  }
  const [state, setState] = useState(read)
  return [
    state,
    (next: boolean) => {
      setState(next)
      try {
        if (next) localStorage.setItem(key, 'yes')
        else localStorage.removeItem(key)
      } catch {
        // Private windows may refuse storage; the decision then lasts until the page is left.
      }
    },
  ] as const
}

/** Which steps are done, as far as the server tells; undefined until all of it is known. */
function useDone(isCashEnough: boolean, isShown: boolean): Record<StepName, boolean> | undefined {
  const quiet = { enabled: isShown, meta: {} }
  const shop = useQuery({ ...shopSettings, ...quiet }).data
  const rules = useQuery({ ...deliveryRules, ...quiet }).data
  const products = useQuery(lowStock).data?.all
  const orders = useQuery(orderCounts(false)).data?.all.count
  if (!shop || !rules || products === undefined || orders === undefined) return undefined
  return {
    contact: Boolean(shop.brand && shop.phone && shop.address),
    delivery: rules.zones.length > 0,
    payment: isCashEnough || settings.onlinePayment.length > 0,
    products: products >= FIRST_PRODUCTS,
    test: orders > 0,
  }
}

/** What a new shop needs before it can sell. It disappears when everything is done, or when the seller closes it. */
export function FirstSteps() {
  const t = useT()
  const lang = useLang()
  const id = useId()
  const { data: seller } = useQuery({ ...sessions.seller, enabled: false })
  const [isClosed, setClosed] = useDecision(seller, 'closed')
  const [isCashEnough, setCashEnough] = useDecision(seller, 'cash')
  const names = NAMES.filter((name) => may(seller, PERMISSIONS[name]))
  const isShown = !isClosed && names.some((name) => name !== 'test')
  const done = useDone(isCashEnough, isShown)
  if (!isShown || !done || names.every((name) => done[name])) return null

  const finished = names.filter((name) => done[name]).length
  const link = (text: string, to: string, search: object = {}) => (
    <Link className="overview-name" to={to} search={search as never}>
      {text}
    </Link>
  )
  const actions: Record<StepName, ReactNode> = {
    contact: link(t('seller.firstSteps.contact.go'), paths.sellerSettings),
    delivery: link(t('seller.firstSteps.delivery.go'), paths.sellerDeliveryZones),
    payment: (
      <button type="button" className="button button-outline" onClick={() => setCashEnough(true)}>
        {t('seller.firstSteps.payment.cash')}
      </button>
    ),
    products: (
      <>
        {may(seller, 'products.import') ? (
          <>
            {link(t('seller.firstSteps.products.starter'), paths.sellerImport, { starter: 'yes' })}
            {link(t('seller.firstSteps.products.import'), paths.sellerImport)}
          </>
        ) : null}
        {link(t('seller.firstSteps.products.add'), paths.sellerAddProduct)}
      </>
    ),
    test: link(t('seller.firstSteps.test.go'), paths.home),
  }
  const close = () => {
    setClosed(true)
    toast.success('seller.firstSteps.closed', {
      label: 'seller.firstSteps.undo',
      run: () => setClosed(false),
    })
  }
  return (
    <section className="first-steps" aria-labelledby={id} data-testid="first-steps">
      <div className="overview-head">
        <h2 id={id}>{t('seller.firstSteps.title')}</h2>
        <button
          type="button"
          className="icon-button"
          aria-label={t('seller.firstSteps.close')}
          onClick={close}
        >
          <CloseIcon />
        </button>
      </div>
      <p className="muted">
        {t('seller.firstSteps.progress', {
          done: formatNumber(finished, lang),
          all: formatNumber(names.length, lang),
        })}
      </p>
      <progress
        className="upload"
        value={finished}
        max={names.length}
        aria-label={t('seller.firstSteps.title')}
      />
      <ol>
        {names.map((name) => (
          <li key={name} data-done={done[name]}>
            <span className="first-steps-mark">{done[name] ? <CheckIcon size={16} /> : null}</span>
            <div>
              <h3>
                {t(`seller.firstSteps.${name}.title`)}
                {done[name] ? <span className="sr-only"> ({t('seller.firstSteps.done')})</span> : null}
              </h3>
              {done[name] ? null : (
                <>
                  <p className="muted">{t(`seller.firstSteps.${name}.text`)}</p>
                  <div className="first-steps-actions">{actions[name]}</div>
                </>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
