import '@/styles/seller-cash.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cashRiders, type RiderCash } from '@/features/cash/api'
import { RiderLedger, Settlements } from '@/features/cash/history'
import { RecordForm, SettleForm } from '@/features/cash/rider-forms'
import { formatDateTime } from '@/lib/dates-time'
import { useLang, useT } from '@/lib/i18n'
import { formatMoney, toPaisa } from '@/lib/money'
import { CoinsIcon } from '@/ui/icons-seller'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'

/** What riders carry, what they hand in, and the days that were closed. */
export function SellerCashPage() {
  const t = useT()
  usePageTitle(t('seller.nav.cash'))
  const riders = useQuery(cashRiders)
  return (
    <>
      <div className="seller-title">
        <h1>{t('seller.nav.cash')}</h1>
      </div>
      <div className="cash-page">
        <LoadState
          query={riders}
          problem="seller.cash.failed"
          skeleton={<div className="disclosure-skeleton skeleton" />}
        >
          {(list) =>
            list.length === 0 ? (
              <StatePanel
                icon={<CoinsIcon size={36} />}
                title={t('seller.cash.empty')}
                text={t('seller.cash.emptyText')}
              />
            ) : (
              <ul className="cash-riders">
                {list.map((rider) => (
                  <RiderCard key={rider._id} rider={rider} />
                ))}
              </ul>
            )
          }
        </LoadState>
        <Settlements />
      </div>
    </>
  )
}

type Part = 'settle' | 'record' | 'ledger'
const PARTS = {
  settle: 'seller.cash.close',
  record: 'seller.cash.record',
  ledger: 'seller.cash.history',
} as const

function RiderCard({ rider }: { rider: RiderCash }) {
  const t = useT()
  const lang = useLang()
  const [open, setOpen] = useState<Part | null>(null)
  const money = (rupees: number) => formatMoney(toPaisa(rupees), lang, 'auto')
  const close = () => setOpen(null)
  return (
    <li className="box cash-box" data-testid="rider">
      <h2 translate="no">{rider.name}</h2>
      <dl className="cash-figures">
        <div>
          <dt>{t('seller.cash.carries')}</dt>
          <dd className="cash-balance" data-testid="balance">
            {money(rider.balance)}
          </dd>
        </div>
        <div>
          <dt>{t('seller.cash.float')}</dt>
          <dd>{money(rider.float)}</dd>
        </div>
        <div>
          <dt>{t('seller.cash.lastClosed')}</dt>
          <dd>{rider.closedAt ? formatDateTime(rider.closedAt, lang) : t('seller.cash.never')}</dd>
        </div>
      </dl>
      <div className="button-row">
        {(Object.keys(PARTS) as Part[]).map((part) => (
          <button
            key={part}
            type="button"
            className={`button ${part === 'settle' ? 'button-primary' : 'button-outline'}`}
            aria-expanded={open === part}
            onClick={() => setOpen(open === part ? null : part)}
          >
            {t(PARTS[part])}
          </button>
        ))}
      </div>
      {open === 'settle' ? <SettleForm rider={rider} onDone={close} /> : null}
      {open === 'record' ? <RecordForm rider={rider} onDone={close} /> : null}
      {open === 'ledger' ? <RiderLedger rider={rider._id} /> : null}
    </li>
  )
}
