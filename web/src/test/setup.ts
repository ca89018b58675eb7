import '@testing-library/jest-dom/vitest'
import { cleanup } from '@testing-library/react'
import { afterEach, vi } from 'vitest'
import { queryClient } from '@/api/query-client'
import { loadWords } from '@/lib/i18n'
import { toast } from '@/ui/toast'

await Promise.all([loadWords('about'), loadWords('people'), loadWords('seller')])
queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retry: false } })

afterEach(() => {
  cleanup()
  toast.dismissAll()
  queryClient.clear()
  localStorage.clear()
  sessionStorage.clear()
  vi.unstubAllGlobals()
})
