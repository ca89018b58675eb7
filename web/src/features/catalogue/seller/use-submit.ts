import { useState } from 'react'
import type { MessageId, RawText } from '@/lib/i18n'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'
import { useFieldErrors } from '@/ui/use-field-errors'

/** The state of submitting a seller's form: its progress, and the errors of its fields and of the whole form. */
export function useSubmit<Errors extends object>(check: () => Errors) {
  const fields = useFieldErrors(check)
  const { setErrors, refuse } = fields
  const [problem, setProblem] = useState<MessageId | RawText | null>(null)
  const [progress, setProgress] = useState<number>()
  const [busy, run] = useBusy()

  /** Sends the form unless errors were `found`. */
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
