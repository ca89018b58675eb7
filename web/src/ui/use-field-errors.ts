import { type FocusEvent, type FormEvent, useEffect, useRef, useState } from 'react'

/**
 * The errors of a form's fields. All fields are checked when the form is sent. After that a field in error is checked
 * again as it is edited, and any other edited field when it is left, so that no error stays beside a correct value.
 * `check` returns the errors of the current values; `watch` belongs on the `<form>`, whose fields are identified by
 * `name`.
 */
export function useFieldErrors<Errors extends object>(check: () => Errors) {
  const [errors, setErrors] = useState({} as Errors)
  /** Counts refusals, so that the summary is announced again when the errors are the same. */
  const [attempt, setAttempt] = useState(0)
  const [again, setAgain] = useState<readonly (keyof Errors)[]>([])
  const latest = useRef(check)
  const edited = useRef(new Set<keyof Errors>())
  useEffect(() => {
    latest.current = check
  })
  useEffect(() => {
    // The edited values have been rendered only now.
    const found = latest.current()
    const fresh = Object.fromEntries(again.map((name) => [name, found[name]]))
    if (again.length > 0) setErrors((all) => ({ ...all, ...fresh }))
  }, [again])

  const refuse = (found: Errors) => {
    setErrors(found)
    setAttempt((count) => count + 1)
  }
  const recheck = (...names: (keyof Errors)[]) => setAgain(names)
  const watch = {
    onInput: ({ target }: FormEvent<HTMLFormElement>) => {
      const name = nameOf(target)
      edited.current.add(name)
      if (errors[name]) recheck(name)
    },
    onBlur: ({ target, relatedTarget }: FocusEvent<HTMLFormElement>) => {
      const name = nameOf(target)
      // Submitting checks all fields; an error that appears on the press would move the button away from the pointer.
      if (edited.current.delete(name) && !isSubmit(relatedTarget)) recheck(name)
    },
  }
  function nameOf(field: EventTarget): keyof Errors {
    return (field as HTMLInputElement).name as keyof Errors
  }
  return { errors, setErrors, attempt, refuse, recheck, watch }
}

const isSubmit = (target: EventTarget | null) =>
  target instanceof HTMLButtonElement && target.type === 'submit'
