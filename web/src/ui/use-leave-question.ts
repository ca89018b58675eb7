import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

/** Holds a page change back while there is something to lose, until the person has decided. */
export function useLeaveQuestion(changed: () => boolean) {
  const { history } = useRouter()
  const [answer, setAnswer] = useState<((leave: boolean) => void) | null>(null)
  const current = useRef(changed)
  useEffect(() => {
    current.current = changed
  })
  useEffect(
    () =>
      history.block({
        blockerFn: async () => {
          if (!current.current()) return false
          const leave = await new Promise<boolean>((resolve) => setAnswer(() => resolve))
          setAnswer(null)
          return !leave
        },
        enableBeforeUnload: () => current.current(),
      }),
    [history],
  )
  return [answer !== null, (leave: boolean) => answer?.(leave)] as const
}
