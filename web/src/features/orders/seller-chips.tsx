import type { Counted, OrderCounts } from '@/features/orders/seller-api'
import { STATUSES, useStatusText } from '@/features/orders/status'
import { useLang, useT } from '@/lib/i18n'
import { formatNumber } from '@/lib/money'

type SellerChipsProps = { status: string; counts: OrderCounts | undefined; onPick: (status: string) => void }

/** One status at a time, each with how many orders have it. */
export function SellerChips({ status: picked, counts, onPick }: SellerChipsProps) {
  const t = useT()
  const say = useStatusText()
  const chip = (value: string, label: string, counted: Counted | undefined) => (
    <li key={value}>
      <button
        type="button"
        className="chip"
        aria-current={picked === value ? 'true' : undefined}
        onClick={() => onPick(value)}
      >
        {label}
        {counted ? <CountText of={counted} /> : null}
      </button>
    </li>
  )
  return (
    <nav className="chips" aria-label={t('sorder.chips')}>
      <ul>
        {chip('', t('sorder.all'), counts?.all)}
        {STATUSES.map((status) =>
          chip(
            status,
            say(status),
            counts?.counts.find((each) => each.status === status),
          ),
        )}
      </ul>
    </nav>
  )
}

function CountText({ of: { count, capped } }: { of: Counted }) {
  const lang = useLang()
  return (
    <span className="chip-count">
      {formatNumber(count, lang)}
      {capped ? '+' : ''}
    </span>
  )
}
