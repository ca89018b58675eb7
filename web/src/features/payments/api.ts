// The return from a wallet: reading its URL (wallet-return.ts), polling until the shop knows (poll-payment.ts), and the messages for errors.
import { api, type Schemas, unwrapData } from '@/api/client'
import type { WalletReturn } from '@/features/payments/wallet-return'

/** What the server says of a payment that has arrived. */
export type PaymentInfo = Schemas['PaymentInfo']

/** Asks the shop to look at the wallet. A yes without an order is for somebody who is not signed in. */
export const verifyPayment = ({ pidx, ...others }: WalletReturn) => {
  const given = Object.entries(others).filter(([, value]) => value !== '')
  return unwrapData(
    api.POST('/api/order/verify_khalti_payment', { body: { pidx, ...Object.fromEntries(given) } }),
  )
}
