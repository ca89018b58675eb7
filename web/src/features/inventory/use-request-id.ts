import { useRef } from 'react'
import { ApiError } from '@/api/client'
import { newRequestId } from '@/features/inventory/api'

/**
 * The id of the next request. It stays the same while it is unknown whether the request has arrived, so that repeating
 * it changes nothing. `finish` ends it; after a failure it is given the error and ends it only if nothing was changed.
 */
export function useRequestId(): [id: () => string, finish: (error?: unknown) => void] {
  const current = useRef<string | null>(null)
  const id = () => {
    current.current ??= newRequestId()
    return current.current
  }
  const finish = (error?: unknown) => {
    const refused = error instanceof ApiError && error.status < 500 && error.code !== 'id_reused'
    if (error === undefined || refused) current.current = null
  }
  return [id, finish]
}
