import { useQuery } from '@tanstack/react-query'
import { queryClient } from '@/api/query-client'
import { serverText } from '@/api/server-text'
import type { Order } from '@/features/orders/api'
import { assignRider, riders, SELLER_ORDERS_KEY } from '@/features/orders/seller/orders-api'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { useT } from '@/lib/i18n'
import { SelectField } from '@/ui/field'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

const TEXTS = { refused: 'seller.orders.riderFailed', broken: 'seller.orders.riderFailed' } as const

/** Chooses who delivers the order. A shop without riders does not see it. */
export function RiderField({ order }: { order: Order }) {
  const t = useT()
  const { data: all = [] } = useQuery(riders)
  const [busy, run] = useBusy()
  const chosen = order.rider
  if (all.length === 0 && !chosen) return null
  const isListed = all.some(({ _id }) => _id === chosen?._id)
  const assign = (rider: string) =>
    run(async () => {
      try {
        await assignRider([order._id], rider)
        toast.success('seller.orders.riderAssigned')
      } catch (error) {
        if (!handleSellerSessionEnded(error)) toast.error(serverText(error, TEXTS))
      }
      await queryClient.invalidateQueries({ queryKey: SELLER_ORDERS_KEY })
    })
  return (
    <SelectField
      label={t('seller.orders.rider')}
      value={chosen?._id ?? ''}
      disabled={busy}
      onChange={({ target }) => void assign(target.value)}
    >
      <option value="">{t('seller.orders.noRider')}</option>
      {chosen && !isListed ? (
        <option value={chosen._id} translate="no">
          {chosen.name}
        </option>
      ) : null}
      {all.map(({ _id, name }) => (
        <option key={_id} value={_id} translate="no">
          {name}
        </option>
      ))}
    </SelectField>
  )
}
