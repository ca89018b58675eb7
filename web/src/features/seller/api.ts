// The desk itself: logging in, its header and ways, and what its lists share. What it shows belongs to the other rooms (their seller-* files).
import { api, dataOf } from '@/api/client'

export const sellerApi = {
  login: (email: string, password: string) =>
    dataOf(api.POST('/api/seller/login', { body: { email, password } })),
  /** The second step of the login that is pending in this browser. */
  sendCode: (code: string) => dataOf(api.POST('/api/seller/login/code', { body: { code } })),
  logout: () => dataOf(api.GET('/api/seller/logout')),
}
