import { useState } from 'react'
import type { MessageId, RawText } from '@/lib/i18n'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

/** What a form of the desk knows of its being sent: how far it is, and what is wrong with which field or with all of it. */
export function useSending<Errors extends object>(none: Errors) {
  const [errors, setErrors] = useState(none)
  /** Counts the refusals, so that the summary is read again when the same things are wrong. */
  const [attempt, setAttempt] = useState(0)
  const [problem, setProblem] = useState<MessageId | RawText | null>(null)
  const [progress, setProgress] = useState<number>()
  const [busy, run] = useBusy()

  const refuse = (found: Errors) => {
    setErrors(found)
    setAttempt((count) => count + 1)
  }
  /** Sends only what has nothing wrong `found` in it. */
  const send = (
    found: Errors,
    work: (onProgress: (part: number) => void) => Promise<void>,
    fail: (error: unknown) => void,
  ) => {
    setProblem(null)
    toast.dismissAll()
    if (Object.keys(found).length > 0) return refuse(found)
    setErrors(none)
    return void run(async () => {
      try {
        await work(setProgress)
      } catch (error) {
        fail(error)
      } finally {
        setProgress(undefined)
      }
    })
  }
  return { errors, setErrors, attempt, problem, setProblem, progress, busy, refuse, send }
}
