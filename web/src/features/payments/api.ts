// Coming back from a wallet: what its address says (returned.ts), asking until the shop knows (follow-payment.ts), and the words for a refusal.
import { api, dataOf, type Schemas } from '@/api/client'
import type { Returned } from '@/features/payments/returned'

/** What the server says of a payment that has arrived. */
export type Paid = Schemas['PaymentInfo']

/** Asks the shop to look at the wallet. A yes without an order is for somebody who is not signed in. */
export const verifyPayment = ({ pidx, ...others }: Returned) => {
  const given = Object.entries(others).filter(([, value]) => value !== '')
  return dataOf(
    api.POST('/api/order/verify_khalti_payment', { body: { pidx, ...Object.fromEntries(given) } }),
  )
}
