// The return from a wallet: reading its URL (wallet-return.ts), polling until the shop knows (poll-payment.ts), and the messages for errors.
import { api, type Schemas, unwrapData } from '@/api/client'
import type { WalletReturn } from '@/features/payments/wallet-return'

/** The server's data about a successful payment. */
export type PaymentInfo = Schemas['PaymentInfo']

/** Asks the server to verify the payment with the wallet. The response has no order if the visitor is not signed in. */
export const verifyPayment = ({ pidx, ...others }: WalletReturn) => {
  const given = Object.entries(others).filter(([, value]) => value !== '')
  return unwrapData(
    api.POST('/api/order/verify_khalti_payment', { body: { pidx, ...Object.fromEntries(given) } }),
  )
}
