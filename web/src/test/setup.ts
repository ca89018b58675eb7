import '@testing-library/jest-dom/vitest'
import '@/lib/ad-words'
import '@/lib/bar-words'
import '@/lib/news-words'
import '@/lib/piece-words'
import '@/lib/seller-words'
import '@/lib/shelf-words'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'
import { queryClient } from '@/api/query-client'
import { loadWords } from '@/lib/i18n'
import { closeServers } from '@/test/server'
import { toast } from '@/ui/toast'

const PARTS = [
  'about',
  'cart',
  'desk',
  'office',
  'order',
  'orders',
  'payment',
  'people',
  'seller',
  'shelves',
  'wallet',
] as const
// What comes late on a busy machine is waited for, but not so long that what the shop asks again by itself, after four seconds at
// the soonest in most places, could stand in for what did not come.
configure({ asyncUtilTimeout: 3_500 })
await Promise.all(PARTS.map(loadWords))
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
