import { useEffect, useState } from 'react'
import { queryClient } from '@/api/query-client'
import { type Asked, NOTHING_CAME } from '@/lib/kept'

const ASK_AGAIN_MS = 5000
/** A line that leads nowhere may also say nothing at all. */
const PATIENCE_MS = 4000

/**
 * Whether the shop is there at the other end. A phone on a Wi-Fi without internet calls itself online, and what was kept on it
 * is shown: only the service worker notices. The shop is asked once more before anybody is told, and then until it answers.
 */
export function useReached(): boolean {
  const [reached, setReached] = useState(true)
  useEffect(() => {
    const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined
    let asking = false
    let gone = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async (wasReached: boolean) => {
      // Without any network there is nobody to ask, and `useOnline` tells of it.
      const there = !navigator.onLine || (await answers())
      if (gone) return
      setReached(there)
      asking = !there
      if (!there) timer = setTimeout(look, ASK_AGAIN_MS, false)
      else if (!wasReached) void queryClient.invalidateQueries({ queryKey: ['catalogue'] })
    }
    const hear = ({ data }: MessageEvent) => {
      if (data !== NOTHING_CAME || asking) return
      asking = true
      void look(true)
    }
    workers?.addEventListener('message', hear)
    workers?.controller?.postMessage({ type: 'line' } satisfies Asked)
    return () => {
      gone = true
      clearTimeout(timer)
      workers?.removeEventListener('message', hear)
    }
  }, [])
  return reached
}

function answers(): Promise<boolean> {
  const question = fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) })
  return question.then(
    () => true,
    () => false,
  )
}
