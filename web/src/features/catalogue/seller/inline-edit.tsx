import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useMay } from '@/features/staff/permissions'
import { type RawText, useT } from '@/lib/i18n'
import { latinDigits } from '@/lib/latin-digits'
import { useOnline } from '@/lib/use-online'
import { CheckIcon, CloseIcon } from '@/ui/icons'
import { PencilIcon } from '@/ui/icons-forms'
import { useForm } from '@/ui/use-form'

type InlineEditProps<T> = {
  /** The current item that the value belongs to. */
  item: T
  /** The value as it is displayed; `typed` is the value as it is edited. */
  shown: string
  typed: string
  /** The accessible name of the button, and the label of the field. */
  action: string
  label: string
  /** Returns the problem with the text, if any. */
  check: (text: string) => string | null
  /** `seen` is the item when the field was opened, to detect changes by other sellers. */
  save: (text: string, seen: T) => Promise<SaveProblem<T> | null>
}

/** The reason why the value was not saved, and the current item if the server sent it. */
export type SaveProblem<T> = { text: string; seen?: T | undefined }

/** A value that can be edited in place: press it and type; Enter saves and Escape restores. */
export function InlineEdit<T>({ item, shown, typed, action, label, check, save }: InlineEditProps<T>) {
  const t = useT()
  const id = useId()
  const online = useOnline()
  const mayEdit = useMay()('products.edit')
  const [text, setText] = useState<string | null>(null)
  const [opened, setOpened] = useState({ seen: item, typed })
  const { busy, problem, setProblem, send } = useForm()
  const button = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const open = text !== null
  const wasOpen = useRef(false)

  // The field takes the focus when it opens and returns it when it closes, unless the focus has moved elsewhere.
  useEffect(() => {
    if (open) {
      field.current?.focus()
      field.current?.select()
    } else if (wasOpen.current && focusIsLost()) button.current?.focus()
    wasOpen.current = open
  }, [open])

  const close = () => {
    setText(null)
    setProblem(null)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const plain = latinDigits(text ?? '').trim()
    if (plain === opened.typed && !problem) return close()
    const wrong = check(plain)
    if (wrong) return setProblem(wrong as RawText)
    return send(async () => {
      const problemFound = await save(plain, opened.seen)
      if (problemFound === null) return close()
      setProblem(problemFound.text as RawText)
      if (problemFound.seen !== undefined) setOpened({ seen: problemFound.seen, typed: opened.typed })
      setTimeout(() => {
        if (focusIsLost() || field.current?.form?.contains(document.activeElement)) field.current?.focus()
      })
    })
  }

  if (!open && !mayEdit) return shown
  if (!open) {
    return (
      <button
        ref={button}
        type="button"
        className="inline-value"
        disabled={!online}
        title={online ? undefined : t('form.offline')}
        onClick={() => {
          setOpened({ seen: item, typed })
          setText(typed)
        }}
      >
        {shown}
        <PencilIcon size={16} />
        <span className="sr-only">, {action}</span>
      </button>
    )
  }
  return (
    <form
      className="inline-edit"
      noValidate
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || busy) return
        event.stopPropagation()
        close()
      }}
      // Leaving the field without a change closes it.
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget) && text === opened.typed && !busy) {
          wasOpen.current = false
          close()
        }
      }}
    >
      <span className="inline-row">
        <input
          ref={field}
          className="input"
          aria-label={label}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? id : undefined}
          inputMode="decimal"
          enterKeyHint="done"
          autoComplete="off"
          readOnly={busy}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button
          type="submit"
          className="icon-button"
          aria-label={t('seller.products.save')}
          aria-busy={busy}
          disabled={!online}
        >
          {busy ? <span className="spinner" /> : <CheckIcon />}
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label={t('seller.products.cancelChange')}
          disabled={busy}
          onClick={close}
        >
          <CloseIcon />
        </button>
      </span>
      <span id={id} role="alert" className="inline-problem">
        {problem}
      </span>
    </form>
  )
}

/** Whether the focused element has disappeared. */
const focusIsLost = () => !document.activeElement || document.activeElement === document.body
