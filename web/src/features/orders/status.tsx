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
export type StatusVariant = keyof typeof ICONS

/** Both vocabularies: the six that the shop stores, and the older names that an order may carry. */
const KNOWN: Record<string, [StatusVariant, MessageId]> = {
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
  'payment failed': ['other', 'status.paymentFailed'],
}

const known = (status: string) => KNOWN[status.trim().toLowerCase()]

export const statusVariant = (status: string): StatusVariant => known(status)?.[0] ?? 'other'

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
  const variant = statusVariant(status)
  const Icon = ICONS[variant]
  return (
    <span className={`status status-${variant}`} data-testid="order-status" data-variant={variant}>
      <Icon size={18} />
      {useStatusText()(status)}
    </span>
  )
}
