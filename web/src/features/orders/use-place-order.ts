import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Cart, cartStore, useCart } from '@/features/cart/cart-store'
import type { PlaceOrderRequest } from '@/features/orders/api'
import type { OrderProblem } from '@/features/orders/order-problem'
import type { PlaceOrderResult } from '@/features/orders/place-order'
import { loadWithMessages } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The order that was just placed, which the list of orders confirms. */
    placed?: string
  }
}

type PlaceOrderModule = Pick<typeof import('@/features/orders/place-order'), 'placeOrder' | 'resumeOrder'>

/** Preloads the code and messages for placing an order, so that the press itself does not wait for them. */
export const loadPlaceOrder = (): Promise<PlaceOrderModule> =>
  loadWithMessages('features/orders/place-order', () => import('@/features/orders/place-order'))

export function usePlaceOrder() {
  const navigate = useNavigate()
  const [busy, run] = useBusy()
  const cart = useCart()
  const [lastProblem, setSaid] = useState<{ problem: OrderProblem; cart: Cart } | null>(null)

  const attempt = (work: (placeOrderModule: PlaceOrderModule) => Promise<PlaceOrderResult>) =>
    run(async () => {
      setSaid(null)
      const placeOrderModule = await loadPlaceOrder().catch(() => null)
      if (!placeOrderModule) {
        // Even our own files do not load, so nothing has been sent.
        toast.error('cart.unreachable')
        return
      }
      const { orderId, problem: found } = await work(placeOrderModule)
      if (found) setSaid({ problem: found, cart: cartStore.read() })
      if (orderId) await navigate({ to: paths.orders, hash: orderId, state: { placed: orderId } })
    })

  return {
    busy,
    /** The problem disappears when the cart changes, because it was about the previous cart. */
    problem: lastProblem?.cart === cart ? lastProblem.problem : null,
    place: (body: PlaceOrderRequest) => attempt(({ placeOrder }) => placeOrder(body)),
    resume: () => attempt(({ resumeOrder }) => resumeOrder()),
  }
}
