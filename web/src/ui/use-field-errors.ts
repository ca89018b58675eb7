import { type FocusEvent, type FormEvent, useEffect, useRef, useState } from 'react'

/**
 * What is wrong with the fields of a form. All of them are checked when it is sent. After that a field in error is checked
 * again as it is edited, and any other that was edited when it is left, so that no error stays beside a correct value.
 * `check` says what is wrong with the values as they are; `watch` belongs on the `<form>`, whose fields are known by `name`.
 */
export function useFieldErrors<Errors extends object>(check: () => Errors) {
  const [errors, setErrors] = useState({} as Errors)
  /** Counts the refusals, so that the summary is read again when the same things are wrong. */
  const [attempt, setAttempt] = useState(0)
  const [again, setAgain] = useState<readonly (keyof Errors)[]>([])
  const latest = useRef(check)
  const edited = useRef(new Set<keyof Errors>())
  useEffect(() => {
    latest.current = check
  })
  useEffect(() => {
    // Only now have the values of the edit been rendered.
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
      // Sending checks them all; an error that appeared under the finger would move the button away from it.
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
