import { codeOf } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { endedElsewhere } from '@/features/accounts/person'
import { MINE, type Order } from '@/features/orders/api'
import { ordersApi } from '@/features/orders/change-api'
import { putOrder } from '@/features/orders/put-order'
import { useT } from '@/lib/i18n'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

/** Asks first, because nobody can take it back. */
export function CancelOrder({ order, onClose }: { order: Order; onClose: () => void }) {
  const t = useT()
  const [busy, run] = useBusy()
  const paid = order.paymentState === 'paid'
  const cancel = () =>
    run(async () => {
      try {
        const cancelled = await ordersApi.cancel(order._id)
        onClose()
        putOrder(MINE, cancelled)
        // What it held is on the shelf again.
        void queryClient.invalidateQueries({ queryKey: ['catalogue'] })
        toast.success(paid ? 'orders.cancelledPaid' : 'orders.cancelled')
        // The button that was pressed is gone with the order's chance to be cancelled.
        setTimeout(() => document.getElementById(order.orderId)?.querySelector('button')?.focus())
      } catch (error) {
        onClose()
        if (endedElsewhere(error)) return
        toast.error(codeOf(error) === 'too_late_to_cancel' ? 'orders.noMore' : 'orders.cancelError')
        void queryClient.invalidateQueries({ queryKey: MINE })
      }
    })
  return (
    <ConfirmDialog
      id="cancel-order"
      title={t('orders.cancelTitle')}
      text={t(paid ? 'orders.cancelPaid' : 'orders.cancelText', {
        id: order.orderId,
        provider: order.paymentMethod,
      })}
      about={order.orderId}
      confirm={t('orders.cancel')}
      keep={t('orders.keep')}
      busy={busy}
      onConfirm={() => void cancel()}
      onCancel={onClose}
    />
  )
}
