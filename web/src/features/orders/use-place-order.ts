import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Cart, cartStore, useCart } from '@/features/cart/cart-store'
import type { OrderBody } from '@/features/orders/api'
import type { Placed } from '@/features/orders/place-order'
import type { OrderProblem } from '@/features/orders/refusal'
import { loadWords } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

type Placing = Pick<typeof import('@/features/orders/place-order'), 'placeOrder' | 'resumeOrder'>

/** What placing takes: fetched ahead by whoever is about to order, so that the press itself waits for nothing. */
export async function loadPlacing(): Promise<Placing> {
  const [{ placeOrder, resumeOrder }] = await Promise.all([
    import('@/features/orders/place-order'),
    loadWords('order'),
  ])
  return { placeOrder, resumeOrder }
}

export function usePlaceOrder() {
  const navigate = useNavigate()
  const [busy, run] = useBusy()
  const cart = useCart()
  const [said, setSaid] = useState<{ problem: OrderProblem; of: Cart } | null>(null)

  const attempt = (work: (placing: Placing) => Promise<Placed>) =>
    run(async () => {
      setSaid(null)
      const placing = await loadPlacing().catch(() => null)
      if (!placing) {
        // Not even our own files come through; nothing has been sent.
        toast.error('cart.noLine')
        return
      }
      const { orderId, problem: found } = await work(placing)
      if (found) setSaid({ problem: found, of: cartStore.read() })
      if (orderId) await navigate({ to: paths.orders, hash: orderId })
    })

  return {
    busy,
    /** Gone as soon as the cart is changed: it was said of another one. */
    problem: said?.of === cart ? said.problem : null,
    place: (body: OrderBody) => attempt(({ placeOrder }) => placeOrder(body)),
    resume: () => attempt(({ resumeOrder }) => resumeOrder()),
  }
}
