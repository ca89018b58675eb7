import { useEffect } from 'react'
import { securityApi } from '@/features/staff/security-api'
import { deviceLocked, idleFor } from '@/features/staff/session-guard'

const LOCK_AFTER_MS = 10 * 60_000

/** Locks a remembered device after ten minutes without a touch or a key. The server does the same without our help. */
export function useIdleLock(active: boolean) {
  useEffect(() => {
    if (!active) return undefined
    let timer: ReturnType<typeof setTimeout>
    const check = () => {
      const left = LOCK_AFTER_MS - idleFor()
      if (left > 0) {
        timer = setTimeout(check, left)
        return
      }
      deviceLocked.set(true)
      void securityApi.lockDevice().catch(() => undefined)
    }
    timer = setTimeout(check, LOCK_AFTER_MS)
    return () => clearTimeout(timer)
  }, [active])
}
