import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

/** Blocks a page change while there are unsaved changes, until the user has decided. */
export function useUnsavedChangesPrompt(changed: () => boolean) {
  const { history } = useRouter()
  const [asking, setAsking] = useState(false)
  /** Resolves the last page change. An earlier one stays unresolved, because both start from the same page. */
  const decide = useRef<((leave: boolean) => void) | null>(null)
  const current = useRef(changed)
  useEffect(() => {
    current.current = changed
  })
  useEffect(() => {
    const release = history.block({
      blockerFn: async () => {
        if (!current.current()) return false
        setAsking(true)
        const leave = await new Promise<boolean>((resolve) => {
          decide.current = resolve
        })
        decide.current = null
        setAsking(false)
        return !leave
      },
      enableBeforeUnload: () => current.current(),
    })
    return () => {
      release()
      // The changes were saved while the question was open, and the address has changed already.
      decide.current?.(true)
    }
  }, [history])
  return [asking, (leave: boolean) => decide.current?.(leave)] as const
}
