import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

/** Holds a page change back while there is something to lose, until the person has decided. */
export function useUnsavedChangesPrompt(changed: () => boolean) {
  const { history } = useRouter()
  const [asking, setAsking] = useState(false)
  /** Answers the last page change. One before it stays unanswered, because the last leads from the same page. */
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
      // Saved while it was asked: nothing is left to lose, and the address has moved on already.
      decide.current?.(true)
    }
  }, [history])
  return [asking, (leave: boolean) => decide.current?.(leave)] as const
}
