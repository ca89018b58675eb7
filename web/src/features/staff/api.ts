// The seller dashboard itself: login, header, navigation and what its lists share. Its pages belong to the other
// modules (their seller/ folders).
import { api, unwrapData } from '@/api/client'

export const sellerApi = {
  login: (email: string, password: string) =>
    unwrapData(api.POST('/api/seller/login', { body: { email, password } })),
  /** The second step of the login that is pending in this browser. */
  sendCode: (code: string) => unwrapData(api.POST('/api/seller/login/code', { body: { code } })),
  logout: () => unwrapData(api.GET('/api/seller/logout')),
}
