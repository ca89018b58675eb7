import { type MessageId, useT } from '@/lib/i18n'
import { AlertIcon, TruckIcon } from '@/ui/icons'
import {
  CheckCircleIcon,
  ClipboardCheckIcon,
  ClockIcon,
  CrossCircleIcon,
  ParcelIcon,
} from '@/ui/icons-orders'

/** What the seller can choose, in the order an order usually goes. */
export const STATUSES = [
  'Order Placed',
  'Order Confirmed',
  'Order Shipped',
  'Out for Delivery',
  'Delivered',
  'Cancelled',
] as const

const ICONS = {
  processing: ClockIcon,
  confirmed: ClipboardCheckIcon,
  shipped: ParcelIcon,
  'in-transit': TruckIcon,
  delivered: CheckCircleIcon,
  canceled: CrossCircleIcon,
  other: AlertIcon,
}
export type StatusLook = keyof typeof ICONS

/** Both vocabularies: the six that the shop stores, and the older words an order may carry. */
const KNOWN: Record<string, [StatusLook, MessageId]> = {
  'order placed': ['processing', 'status.placed'],
  processing: ['processing', 'status.processing'],
  'order confirmed': ['confirmed', 'status.confirmed'],
  'order shipped': ['shipped', 'status.shipped'],
  shipped: ['shipped', 'status.shipped'],
  'out for delivery': ['in-transit', 'status.out'],
  'in-transit': ['in-transit', 'status.inTransit'],
  delivered: ['delivered', 'status.delivered'],
  cancelled: ['canceled', 'status.cancelled'],
  canceled: ['canceled', 'status.cancelled'],
  'payment pending': ['other', 'status.pending'],
  'payment failed': ['other', 'status.payFailed'],
}

const known = (status: string) => KNOWN[status.trim().toLowerCase()]

export const lookOf = (status: string): StatusLook => known(status)?.[0] ?? 'other'

/** In English as it is written; in Nepali translated where we know the word. */
export function useStatusText(): (status: string) => string {
  const t = useT()
  return (status) => {
    const id = known(status)?.[1]
    return id && document.documentElement.lang === 'ne' ? t(id) : status
  }
}

/** The word carries the meaning, the icon only helps the eye. */
export function StatusBadge({ status }: { status: string }) {
  const look = lookOf(status)
  const Icon = ICONS[look]
  return (
    <span className={`status status-${look}`} data-testid="order-status" data-look={look}>
      <Icon size={18} />
      {useStatusText()(status)}
    </span>
  )
}
