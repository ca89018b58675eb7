// The desk itself: logging in, its header and ways, and what its lists share. What it shows belongs to the other rooms (their seller-* files).
import { api, dataOf } from '@/api/client'

export const sellerApi = {
  login: (email: string, password: string, code?: string) =>
    dataOf(
      api.POST('/api/seller/login', {
        body: code === undefined ? { email, password } : { email, password, code },
      }),
    ),
  logout: () => dataOf(api.GET('/api/seller/logout')),
}
