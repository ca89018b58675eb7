import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useT } from '@/lib/i18n'
import { Dialog } from '@/ui/dialog'
import { SubmitButton } from '@/ui/submit-button'

type ConfirmDialogProps = {
  id: string
  title: string
  text: string
  /** A name or code that the text contains and that is not translated. */
  about?: string
  confirm: string
  /** The label of the button that keeps things as they are, for questions where 'Cancel' is ambiguous. */
  keep?: string
  busy?: boolean
  /** The reason why it failed. */
  problem?: string | undefined
  formRef?: RefObject<HTMLFormElement | null>
  onConfirm: () => void
  onCancel: () => void
  /** Further input, such as a password. */
  children?: ReactNode
}

/** Asks before something is lost. The cancel button has the focus first, unless there is a field to fill in. */
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
    formRef,
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
  // Closing the dialog cannot cancel a running request.
  const leave = () => busy || onCancel()
  return (
    <Dialog id={id} variant="card" title={title} onClose={leave}>
      <form
        ref={formRef}
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          onConfirm()
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
