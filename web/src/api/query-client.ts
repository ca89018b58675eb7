import { QueryCache, QueryClient } from '@tanstack/react-query'
import { Refusal } from '@/api/client'
import type { MessageId } from '@/lib/i18n'
import { toast } from '@/ui/toast'

declare module '@tanstack/react-query' {
  interface Register {
    /** What to say when the fetch is refused, and when it breaks. */
    queryMeta: { failed?: MessageId; error?: MessageId }
  }
}

const FRESH_MS = 60_000

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // Here and not in components: one failed fetch is one message, however many components show its data.
    onError: (error, query) => {
      // Signed out meanwhile: the page shows it, nobody is told.
      if (error instanceof Refusal && error.status === 401) return
      const text = error instanceof Refusal ? query.meta?.failed : query.meta?.error
      if (text) toast.error(text)
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (failures, error) => !(error instanceof Refusal) && failures < 1,
      retryDelay: 500,
      refetchOnWindowFocus: false,
    },
  },
})
