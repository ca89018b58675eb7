import '@/styles/alerts.css'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { orderSound } from '@/features/alerts/sound'
import { subscribeToOrders } from '@/features/orders/order-events'
import { notOpened, refreshNotOpened } from '@/features/orders/seller/not-opened'
import { SELLER_STREAM } from '@/features/orders/seller-stream'
import { t as text, useT } from '@/lib/i18n'
import { announce } from '@/ui/announcer'
import { setTitleBadge } from '@/ui/page-title'

/**
 * Tells the seller about new orders on every page of the dashboard, also in a background tab: a sound, and the number of
 * orders that nobody has opened in the title.
 */
export function NewOrderAlert() {
  const t = useT()
  const sound = orderSound.use()
  const { data } = useQuery(notOpened)
  const count = data?.count ?? 0
  useEffect(() => {
    orderSound.restore()
    return subscribeToOrders({
      address: SELLER_STREAM,
      onOrder: ({ placed, orderId }) => {
        refreshNotOpened()
        if (!placed) return
        orderSound.ring()
        announce(text('seller.orders.newOrder', { id: orderId }))
      },
      refetch: refreshNotOpened,
    })
  }, [])
  useEffect(() => {
    setTitleBadge(count)
    return () => setTitleBadge(0)
  }, [count])
  if (sound === 'on' || sound === 'off') return null
  return (
    <div className="sound-offer">
      <p>{t(sound === 'unasked' ? 'seller.sound.offer' : 'seller.sound.silent')}</p>
      <div className="button-row">
        <button type="button" className="button button-outline" onClick={() => void orderSound.turnOn()}>
          {t('seller.sound.turnOn')}
        </button>
        <button type="button" className="button button-plain" onClick={orderSound.turnOff}>
          {t('seller.sound.notNow')}
        </button>
      </div>
    </div>
  )
}
