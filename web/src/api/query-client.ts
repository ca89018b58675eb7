import { onlineManager, QueryCache, QueryClient, type QueryMeta } from '@tanstack/react-query'
import { ApiError, isServerError } from '@/api/client'
import type { MessageId } from '@/lib/i18n'
import { toast } from '@/ui/toast'

declare module '@tanstack/react-query' {
  interface Register {
    /**
     * The messages for a refused and for a failed fetch; where it matters, also for a failure that is not a server
     * error (`unreachable`) and for a visitor who is not signed in (`unauthorized`).
     */
    queryMeta: { failed?: MessageId; error?: MessageId; unreachable?: MessageId; unauthorized?: MessageId }
  }
}

const STALE_TIME_MS = 60_000

function toastMessage(error: Error, meta: QueryMeta): MessageId | undefined {
  // The session has ended and the page shows it, so most lists need no message.
  if (error instanceof ApiError) return error.status === 401 ? meta.unauthorized : meta.failed
  return meta.unreachable && !isServerError(error) ? meta.unreachable : meta.error
}

const retryOnce = (failures: number, error: Error) => !(error instanceof ApiError) && failures < 1

// A page may be opened offline, but TanStack assumes a network until an event says otherwise.
onlineManager.setOnline(navigator.onLine)

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // Errors are handled here and not in components, so that one failed fetch shows one message.
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
// Requests without a cached response fail at once and are repeated when the connection is back.
queryClient.setQueryDefaults(['catalogue'], {
  networkMode: 'offlineFirst',
  // A response from the device's cache looks as fresh as one from the network.
  refetchOnReconnect: 'always',
  retry: (failures, error) => navigator.onLine && retryOnce(failures, error),
})
