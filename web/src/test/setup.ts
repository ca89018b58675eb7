import '@testing-library/jest-dom/vitest'
import '@/lib/news-words'
import '@/lib/shelf-words'
import { cleanup } from '@testing-library/react'
import { afterEach, vi } from 'vitest'
import { queryClient } from '@/api/query-client'
import { loadWords } from '@/lib/i18n'
import { toast } from '@/ui/toast'

await Promise.all((['about', 'cart', 'order', 'orders', 'people', 'seller'] as const).map(loadWords))
queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retry: false } })

afterEach(() => {
  cleanup()
  toast.dismissAll()
  queryClient.clear()
  localStorage.clear()
  sessionStorage.clear()
  vi.unstubAllGlobals()
})
