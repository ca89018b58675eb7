import { useEffect, useState } from 'react'
import { queryClient } from '@/api/query-client'
import { NETWORK_FAILED, type WorkerMessage } from '@/lib/offline-cache'

const RETRY_MS = 5000
/** A connection without internet access may never answer at all. */
const TIMEOUT_MS = 4000

/**
 * Whether the server can be reached. A phone on a Wi-Fi without internet calls itself online while it shows cached
 * responses: only the service worker notices. The hook pings the server before it reports a failure, and then until it
 * answers.
 */
export function useServerReachable(): boolean {
  const [reached, setReached] = useState(true)
  useEffect(() => {
    const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined
    let asking = false
    let gone = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const checkServer = async (wasReached: boolean) => {
      // Without any network a ping is useless, and `useOnline` reports it.
      const there = !navigator.onLine || (await pingServer())
      if (gone) return
      setReached(there)
      asking = !there
      if (!there) timer = setTimeout(checkServer, RETRY_MS, false)
      else if (!wasReached) void queryClient.invalidateQueries({ queryKey: ['catalogue'] })
    }
    const onWorkerMessage = ({ data }: MessageEvent) => {
      if (data !== NETWORK_FAILED || asking) return
      asking = true
      void checkServer(true)
    }
    workers?.addEventListener('message', onWorkerMessage)
    workers?.controller?.postMessage({ type: 'line' } satisfies WorkerMessage)
    return () => {
      gone = true
      clearTimeout(timer)
      workers?.removeEventListener('message', onWorkerMessage)
    }
  }, [])
  return reached
}

function pingServer(): Promise<boolean> {
  const question = fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) })
  return question.then(
    () => true,
    () => false,
  )
}
