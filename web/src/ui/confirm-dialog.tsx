import { type ReactNode, useEffect, useRef } from 'react'
import { useT } from '@/lib/i18n'
import { Dialog } from '@/ui/dialog'
import { SubmitButton } from '@/ui/submit-button'

type ConfirmDialogProps = {
  id: string
  title: string
  text: string
  /** What people or the shop call it, where the text names it: a name, a code. */
  about?: string
  confirm: string
  /** For a question about cancelling, where 'Cancel' could mean either. */
  keep?: string
  busy?: boolean
  /** Why it did not work. */
  problem?: string | undefined
  onConfirm: (form: HTMLFormElement) => void
  onCancel: () => void
  /** What else it takes, such as a password. */
  children?: ReactNode
}

/** Asks before something is lost. The way back has the focus first, unless there is a field to fill. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    id,
    title,
    text,
    about,
    confirm,
    keep,
    busy = false,
    problem,
    onConfirm,
    onCancel,
    children,
  } = props
  const t = useT()
  const cancel = useRef<HTMLButtonElement>(null)
  const hasFields = Boolean(children)
  useEffect(() => {
    if (!hasFields) cancel.current?.focus()
  }, [hasFields])
  // What is under way cannot be called off by closing the question.
  const leave = () => busy || onCancel()
  return (
    <Dialog id={id} variant="card" title={title} onClose={leave}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          onConfirm(event.currentTarget)
        }}
      >
        <p data-verbatim={about}>{text}</p>
        {children}
        {problem ? (
          <p className="form-problem" role="alert">
            {problem}
          </p>
        ) : null}
        <div className="button-row">
          <button
            ref={cancel}
            type="button"
            className="button button-outline"
            disabled={busy}
            onClick={leave}
          >
            {keep ?? t('profile.cancel')}
          </button>
          <SubmitButton busy={busy} variant="danger">
            {confirm}
          </SubmitButton>
        </div>
      </form>
    </Dialog>
  )
}
