import { type MessageId, useT } from '@/lib/i18n'
import { AlertIcon, TruckIcon } from '@/ui/icons'
import {
  CheckCircleIcon,
  ClipboardCheckIcon,
  ClockIcon,
  CrossCircleIcon,
  ParcelIcon,
} from '@/ui/icons-orders'

/** The statuses that the seller can choose, in the usual order. */
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

/** The six statuses of the shop, and older names that an order may still have. */
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

/** Returns the status as it is in English, and its translation in Nepali if there is one. */
export function useStatusText(): (status: string) => string {
  const t = useT()
  return (status) => {
    const id = known(status)?.[1]
    return id && document.documentElement.lang === 'ne' ? t(id) : status
  }
}

/** The word carries the meaning; the icon only supports it. */
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
