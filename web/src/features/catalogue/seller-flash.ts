import { useEffect, useState } from 'react'

const FLASH_MS = 1600

/** The one row that was just changed, for as long as the eye needs to find it. */
export function useFlash() {
  const [id, setId] = useState<string | null>(null)
  useEffect(() => {
    if (!id) return undefined
    const timer = setTimeout(() => setId(null), FLASH_MS)
    return () => clearTimeout(timer)
  }, [id])
  return [id, setId] as const
}
