import { onlineManager, QueryCache, QueryClient, type QueryMeta } from '@tanstack/react-query'
import { ApiError, isServerError } from '@/api/client'
import type { MessageId } from '@/lib/i18n'
import { toast } from '@/ui/toast'

declare module '@tanstack/react-query' {
  interface Register {
    /**
     * What to say when the fetch is refused, and when it breaks; where it matters, also when it breaks otherwise than by
     * a server error (`unreachable`), and when nobody is signed in (`unauthorized`).
     */
    queryMeta: { failed?: MessageId; error?: MessageId; unreachable?: MessageId; unauthorized?: MessageId }
  }
}

const STALE_TIME_MS = 60_000

function toastMessage(error: Error, meta: QueryMeta): MessageId | undefined {
  // Signed out meanwhile: the page shows it; most lists say nothing.
  if (error instanceof ApiError) return error.status === 401 ? meta.unauthorized : meta.failed
  return meta.unreachable && !isServerError(error) ? meta.unreachable : meta.error
}

const retryOnce = (failures: number, error: Error) => !(error instanceof ApiError) && failures < 1

// A page may be opened without a network; TanStack takes it that there is one until it hears otherwise.
onlineManager.setOnline(navigator.onLine)

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // Here and not in components: one failed fetch is one message, however many components show its data.
    onError: (error, query) => {
      const text = toastMessage(error, query.meta ?? {})
      if (text) toast.error(text)
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: STALE_TIME_MS,
      retry: retryOnce,
      retryDelay: 500,
      refetchOnWindowFocus: false,
    },
  },
})

// Public responses are cached on the device (lib/offline-cache.ts), so they are requested even without a network.
// What is not there fails at once, and is fetched when the line is back.
queryClient.setQueryDefaults(['catalogue'], {
  networkMode: 'offlineFirst',
  // What was kept on the device looks as fresh as what has just been fetched.
  refetchOnReconnect: 'always',
  retry: (failures, error) => navigator.onLine && retryOnce(failures, error),
})
