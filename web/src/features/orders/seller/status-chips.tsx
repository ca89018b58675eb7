import type { OrderCounts, StatusCount } from '@/features/orders/seller/order-counts'
import { STATUSES, useStatusText } from '@/features/orders/status'
import { useLang, useT } from '@/lib/i18n'
import { formatNumber } from '@/lib/money'

type StatusChipsProps = { status: string; counts: OrderCounts | undefined; onPick: (status: string) => void }

/** Filters by one status at a time; each chip shows its number of orders. */
export function StatusChips({ status: picked, counts, onPick }: StatusChipsProps) {
  const t = useT()
  const say = useStatusText()
  const chip = (value: string, label: string, counted: StatusCount | undefined) => (
    <li key={value}>
      <button
        type="button"
        className="chip"
        aria-current={picked === value ? 'true' : undefined}
        onClick={() => onPick(value)}
      >
        {label}
        {counted ? <CountText statusCount={counted} /> : null}
      </button>
    </li>
  )
  return (
    <nav className="chips" aria-label={t('seller.orders.filterByStatus')}>
      <ul>
        {chip('', t('seller.orders.all'), counts?.all)}
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

function CountText({ statusCount: { count, capped } }: { statusCount: StatusCount }) {
  const lang = useLang()
  return (
    <span className="chip-count">
      {formatNumber(count, lang)}
      {capped ? '+' : ''}
    </span>
  )
}
