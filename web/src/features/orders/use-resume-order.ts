import { useEffect, useRef } from 'react'
import { serverCart } from '@/features/cart/notices'
import { unansweredOrder } from '@/features/orders/pending-order'

/**
 * Somebody ordered, the answer was lost, they loaded the page again. The server is asked what became of it: asking places
 * nothing, because only the shopper knows whether they still want it.
 */
export function useResumeOrder(resume: () => Promise<void>) {
  // Whoever has a cart at the server is signed in.
  const signedIn = serverCart.use() !== null
  const again = useRef(resume)
  again.current = resume
  useEffect(() => {
    if (signedIn && unansweredOrder()) void again.current()
  }, [signedIn])
}
