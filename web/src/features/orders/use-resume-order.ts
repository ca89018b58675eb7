import { useEffect, useRef } from 'react'
import { serverCart } from '@/features/cart/notices'
import { unansweredOrder } from '@/features/orders/pending-order'

/**
 * After a reload, asks the server about an order whose response was lost. It never places the order, because only the
 * shopper knows whether it is still wanted.
 */
export function useResumeOrder(resume: () => Promise<void>) {
  // A cart on the server means that the shopper is signed in.
  const signedIn = serverCart.use() !== null
  const again = useRef(resume)
  again.current = resume
  useEffect(() => {
    if (signedIn && unansweredOrder()) void again.current()
  }, [signedIn])
}
