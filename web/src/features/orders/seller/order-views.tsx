import type { OrderCounts } from '@/features/orders/seller/order-counts'
import { TO_DO, TO_DO_STATUSES } from '@/features/orders/seller/orders-api'
import type { ListFilter, ListSettingsStore } from '@/features/staff/list-settings'
import { ViewTabs } from '@/features/staff/view-tabs'
import { type MessageId, useT } from '@/lib/i18n'
import { useWide } from '@/lib/use-wide'

const COLUMN_LABELS = {
  pictures: 'seller.views.column.pictures',
  delivery: 'orders.delivery',
  payment: 'orders.payment',
  phone: 'seller.packingSlip.phone',
} satisfies Record<string, MessageId>

type OrderViewsProps = {
  settings: ListSettingsStore
  counts: OrderCounts | undefined
  filter: ListFilter
  columns: string[]
  onPick: (filter: ListFilter) => void
}

/** The views of the seller's orders. */
export function OrderViews({ settings, counts, filter, columns, onPick }: OrderViewsProps) {
  const t = useT()
  const wide = useWide()
  const toDo = counts?.counts.filter(({ status }) => TO_DO_STATUSES.includes(status))
  return (
    <ViewTabs
      settings={settings}
      builtIn={[
        { key: 'all', label: t('seller.orders.all'), filter: {} },
        {
          key: TO_DO,
          label: t('seller.views.toDo'),
          filter: { status: TO_DO },
          count: toDo?.reduce((sum, { count }) => sum + count, 0),
        },
      ]}
      filter={filter}
      onPick={onPick}
      columns={wide ? Object.entries(COLUMN_LABELS).map(([key, label]) => ({ key, label: t(label) })) : []}
      shownColumns={columns}
    />
  )
}
