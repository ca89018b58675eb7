import '@testing-library/jest-dom/vitest'
import '@/lib/ad-messages'
import '@/lib/free-shipping-messages'
import '@/lib/newsletter-messages'
import '@/lib/stepper-messages'
import '@/lib/seller-messages'
import '@/lib/catalogue-messages'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'
import { queryClient } from '@/api/query-client'
import { loadMessages } from '@/lib/i18n'
import { closeServers } from '@/test/server'
import { toast } from '@/ui/toast'

const PARTS = [
  'about',
  'account',
  'cart',
  'orderDetails',
  'orders',
  'payment',
  'seller',
  'sellerCatalogue',
  'sellerImports',
  'sellerOrders',
  'sellerPayments',
  'sellerShop',
] as const
// What comes late on a busy machine is waited for, but not so long that what the shop asks again by itself, after four seconds at
// the soonest in most places, could stand in for what did not come.
configure({ asyncUtilTimeout: 3_500 })
await Promise.all(PARTS.map(loadMessages))
queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retry: false } })

afterEach(async () => {
  cleanup()
  // An order whose parts are still being fetched would be sent in the next test.
  closeServers()
  await vi.dynamicImportSettled()
  toast.dismissAll()
  queryClient.clear()
  localStorage.clear()
  sessionStorage.clear()
  vi.unstubAllGlobals()
})
