import { type FocusEvent, type FormEvent, useEffect, useRef, useState } from 'react'
import { type MessageId, messageText, type RawText } from '@/lib/i18n'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

type Text = MessageId | RawText
export type FormErrors<Name extends string> = { [N in Name]?: Text | undefined }
/** What is shown after a failed request: a toast, the errors of fields, and a problem of the whole form. */
export type FormFailure<Name extends string = string> = {
  toast?: Text
  errors?: FormErrors<Name>
  problem?: Text
}
/** Returns the current text of the field with this name. */
export type ReadField = (name: string) => string
type Work = (read: ReadField, onProgress: (part: number) => void) => Promise<unknown> | unknown

type FormOptions<Name extends string> = {
  /** The prefix of the fields' ids. */
  id?: string
  /** The fields in the order of the error summary; without it, the order of the errors. */
  names?: readonly Name[]
  /** Returns the errors of the current values. Without it the browser checks the fields. */
  check?: (read: ReadField) => FormErrors<Name>
  /** Handles a failed request and returns what to show, if anything. */
  onError?: (error: unknown) => FormFailure<Name> | null | undefined
}

/** Shows the text in a toast and in the form: at the field if there is one, otherwise below all fields. */
export const failure = <Name extends string>(text: Text, field?: Name): FormFailure<Name> =>
  field ? { toast: text, errors: { [field]: text } as FormErrors<Name> } : { toast: text, problem: text }

/** The id of a field. The name of a field in a list contains dots, which a selector cannot contain. */
export const fieldId = (form: string, name: string) => `${form}-${name.replaceAll('.', '-')}`

/**
 * The state of a form: the errors of its fields, the problem of the whole form, and whether it is being sent.
 *
 * All fields are checked when the form is sent. After that a field in error is checked again as it is edited, and any
 * other edited field when it is left, so that no error stays beside a correct value. A refused form moves the focus to
 * its error summary, or without one to the first field in error. `bind` returns the properties of the `<form>`, whose
 * fields are identified by `name`.
 */
export function useForm<Name extends string = string>(options: FormOptions<Name> = {}) {
  const { id = '', names, check, onError } = options
  const [busy, run] = useBusy()
  const [progress, setProgress] = useState<number>()
  const [errors, setErrors] = useState<FormErrors<Name>>({})
  const [problem, setProblem] = useState<Text | null>(null)
  /** Counts refusals, so that the same errors take the focus again. */
  const [attempt, setAttempt] = useState(0)
  const [again, setAgain] = useState<readonly Name[]>([])
  const ref = useRef<HTMLFormElement>(null)
  const edited = useRef(new Set<Name>())
  const latestCheck = useRef(check)
  useEffect(() => {
    latestCheck.current = check
  })
  useEffect(() => {
    // The edited values have been rendered only now.
    if (again.length === 0 || !latestCheck.current) return
    const found = latestCheck.current(fieldReader(ref.current))
    const fresh = Object.fromEntries(again.map((name) => [name, found[name]]))
    setErrors((all) => ({ ...all, ...fresh }))
  }, [again])
  useEffect(() => {
    if (attempt === 0) return
    const find = (selector: string) => ref.current?.querySelector<HTMLElement>(selector)
    ;(find('.error-summary') ?? find('[aria-invalid="true"]'))?.focus()
  }, [attempt])

  const refuse = (found: FormErrors<Name>) => {
    setErrors(found)
    setAttempt((count) => count + 1)
  }
  const clearErrors = (...cleared: Name[]) =>
    setErrors((all) => ({ ...all, ...Object.fromEntries(cleared.map((name) => [name, undefined])) }))
  const reset = () => {
    setErrors({})
    setProblem(null)
  }
  const show = ({ toast: text, errors: found, problem: said }: FormFailure<Name>) => {
    if (text) toast.error(text)
    if (found) refuse(found)
    if (said) setProblem(said)
  }

  /** Sends the form unless errors were `found`, which are those of the current values if they are not given. */
  const send = (work: Work, given?: FormErrors<Name>) => {
    const read = fieldReader(ref.current)
    const found = given ?? check?.(read) ?? {}
    toast.dismissErrors()
    setProblem(null)
    if (Object.values(found).some(Boolean)) return refuse(found)
    setErrors({})
    return void run(async () => {
      try {
        await work(read, setProgress)
      } catch (error) {
        show(onError?.(error) ?? {})
      } finally {
        setProgress(undefined)
      }
    })
  }

  const recheck = (...rechecked: Name[]) => setAgain(rechecked)
  /** The properties of a `<form>` that has its own `onSubmit`. */
  const watch = {
    ref,
    noValidate: check !== undefined,
    onInput: ({ target }: FormEvent) => {
      const { name } = target as unknown as { name: Name }
      edited.current.add(name)
      if (errors[name]) recheck(name)
    },
    onBlur: ({ target, relatedTarget }: FocusEvent) => {
      const { name } = target as unknown as { name: Name }
      // Submitting checks all fields; an error that appears on the press would move the button away from the pointer.
      if (edited.current.delete(name) && !isSubmit(relatedTarget)) recheck(name)
    },
  }
  const bind = (work: Work) => ({
    ...watch,
    onSubmit: (event: FormEvent) => {
      event.preventDefault()
      send(work)
    },
  })

  /** Returns the current text of a field. */
  const read: ReadField = (name) => fieldReader(ref.current)(name)
  const error = (name: Name): string | undefined => errors[name] && messageText(errors[name])
  /** The properties that every field needs. */
  const field = (name: Name) => ({ id: fieldId(id, name), name, error: error(name) })
  /** The errors for the summary. */
  const problems = (names ?? (Object.keys(errors) as Name[])).flatMap((name) => {
    const text = error(name)
    return text ? [{ id: fieldId(id, name), text }] : []
  })
  const state = { ref, busy, progress, errors, problem, problems }
  const setters = { recheck, clearErrors, reset, setProblem }
  return { ...state, ...setters, bind, watch, send, read, field, error }
}

function fieldReader(form: HTMLFormElement | null): ReadField {
  const data = form ? new FormData(form) : new FormData()
  return (name) => String(data.get(name) ?? '')
}

const isSubmit = (target: EventTarget | null) =>
  target instanceof HTMLButtonElement && target.type === 'submit'
