import { errorCode } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { handleSessionEnded } from '@/features/accounts/sign-in-out'
import { MY_ORDERS_KEY, type Order } from '@/features/orders/api'
import { ordersApi } from '@/features/orders/mutations'
import { updateOrderInLists } from '@/features/orders/update-order-in-lists'
import { useT } from '@/lib/i18n'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

/** Asks for confirmation, because a cancellation cannot be undone. */
export function CancelOrder({ order, onClose }: { order: Order; onClose: () => void }) {
  const t = useT()
  const [busy, run] = useBusy()
  const paid = order.paymentState === 'paid'
  const cancel = () =>
    run(async () => {
      try {
        const cancelled = await ordersApi.cancel(order._id)
        onClose()
        updateOrderInLists(MY_ORDERS_KEY, cancelled)
        // The items are in stock again.
        void queryClient.invalidateQueries({ queryKey: ['catalogue'] })
        toast.success(paid ? 'orders.cancelledPaid' : 'orders.cancelled')
        // The pressed button has disappeared, because the order can no longer be cancelled.
        setTimeout(() => document.getElementById(order.orderId)?.querySelector('button')?.focus())
      } catch (error) {
        onClose()
        if (handleSessionEnded(error)) return
        toast.error(errorCode(error) === 'too_late_to_cancel' ? 'orders.noMore' : 'orders.cancelError')
        void queryClient.invalidateQueries({ queryKey: MY_ORDERS_KEY })
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
