import '@/styles/alerts.css'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { orderSound } from '@/features/alerts/sound'
import { subscribeToOrders } from '@/features/orders/order-events'
import { notOpened, refreshNotOpened } from '@/features/orders/seller/not-opened'
import { SELLER_STREAM } from '@/features/orders/seller-stream'
import { deviceLocked } from '@/features/staff/session-guard'
import { t as text, useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { announce } from '@/ui/announcer'
import { setTitleBadge } from '@/ui/page-title'

/**
 * Tells the seller about new orders on every page of the dashboard, also in a background tab: a sound, and the number of
 * orders that nobody has opened in the title. A locked device hears them, too, but shows nothing about them.
 */
export function NewOrderAlert() {
  const t = useT()
  const sound = orderSound.use()
  const locked = deviceLocked.use()
  const isOrdersPage = useLocation({ select: ({ pathname }) => pathname === paths.sellerOrders })
  const { data } = useQuery({ ...notOpened, enabled: !locked })
  /** The orders that arrived on the locked device, which cannot ask the server for their number. */
  const [heard, setHeard] = useState(0)
  const count = (data?.count ?? 0) + heard
  useEffect(() => {
    orderSound.restore()
    return subscribeToOrders({
      address: SELLER_STREAM,
      onOrder: ({ placed, orderId }) => {
        refreshNotOpened()
        if (!placed) return
        orderSound.ring()
        if (deviceLocked.read()) setHeard((now) => now + 1)
        else announce(text('seller.orders.newOrder', { id: orderId }), orderId)
      },
      refetch: refreshNotOpened,
    })
  }, [])
  useEffect(() => {
    setTitleBadge(count)
    return () => setTitleBadge(0)
  }, [count])
  if (locked || sound === 'on' || sound === 'off') return null
  // The question would push the content of every other page down; a sound that was chosen and cannot play is said everywhere.
  if (sound === 'unasked' && !isOrdersPage) return null
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
