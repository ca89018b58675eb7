import { useQuery } from '@tanstack/react-query'
import type { Order } from '@/features/orders/api'
import { formatSellerPrice } from '@/features/orders/seller/price-format'
import { PackedSummary } from '@/features/packing/packed-summary'
import { orderToPack } from '@/features/packing/seller/order-to-pack'
import { useLang } from '@/lib/i18n'

/** On the seller's order: ordered against packed. */
export function SellerPacking({ order }: { order: Order }) {
  const lang = useLang()
  const { data } = useQuery({ ...orderToPack(order._id), enabled: order.amountDue !== undefined })
  return data?.packing ? (
    <PackedSummary packing={data.packing} price={(rupees) => formatSellerPrice(rupees, lang)} />
  ) : null
}
