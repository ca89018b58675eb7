import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrapData } from '@/api/client'
import type { Order } from '@/features/orders/api'
import { useLang, useT } from '@/lib/i18n'
import { localDigits } from '@/lib/money'

const deliveryCode = (id: string) =>
  queryOptions({
    queryKey: ['delivery-code', id],
    queryFn: () => unwrapData(api.GET('/api/rider/delivery_code/{id}', { params: { path: { id } } })),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { failed: 'deliveryCode.failed', error: 'deliveryCode.failed' },
  })

/** The four digits that the shopper tells the rider at the door. */
export function DeliveryCode({ order }: { order: Order }) {
  const t = useT()
  const lang = useLang()
  const { data } = useQuery(deliveryCode(order._id))
  if (!data) return null
  return (
    <p className="order-warning" data-testid="delivery-code">
      {t('deliveryCode.tell')} <strong translate="no">{localDigits(data.code, lang)}</strong>
    </p>
  )
}
