import '@testing-library/jest-dom/vitest'
import partsOfModules from '@data/messages/parts.json'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'
import { queryClient } from '@/api/query-client'
import { type LazyModule, loadMessages } from '@/lib/i18n'
import '@/lib/seller-messages'
import { closeServers } from '@/test/server'
import { toast } from '@/ui/toast'

// Long enough for a busy machine, but shorter than the shop's own retries, which start after four seconds in most
// places and could hide a missing response.
// The name on a drawing repeats the name beside it, for the eye only.
configure({ asyncUtilTimeout: 3_500, defaultIgnore: 'script, style, .drawing text' })
await Promise.all((Object.keys(partsOfModules) as LazyModule[]).map(loadMessages))
queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retry: false } })

afterEach(async () => {
  cleanup()
  // A request that is still pending would otherwise be sent in the next test.
  closeServers()
  await vi.dynamicImportSettled()
  toast.dismissAll()
  queryClient.clear()
  localStorage.clear()
  sessionStorage.clear()
  vi.unstubAllGlobals()
})
