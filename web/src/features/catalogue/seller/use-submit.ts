import { useState } from 'react'
import type { MessageId, RawText } from '@/lib/i18n'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'
import { useFieldErrors } from '@/ui/use-field-errors'

/** What a seller's form knows of its being sent: how far it is, and what is wrong with which field or with all of it. */
export function useSubmit<Errors extends object>(check: () => Errors) {
  const fields = useFieldErrors(check)
  const { setErrors, refuse } = fields
  const [problem, setProblem] = useState<MessageId | RawText | null>(null)
  const [progress, setProgress] = useState<number>()
  const [busy, run] = useBusy()

  /** Sends only what has nothing wrong `found` in it. */
  const send = (
    found: Errors,
    work: (onProgress: (part: number) => void) => Promise<void>,
    fail: (error: unknown) => void,
  ) => {
    setProblem(null)
    toast.dismissAll()
    if (Object.keys(found).length > 0) return refuse(found)
    setErrors({} as Errors)
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
  return { ...fields, problem, setProblem, progress, busy, send }
}
