import { type ReactNode, useState } from 'react'
import { useT } from '@/lib/i18n'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { Dialog } from '@/ui/dialog'
import { ErrorSummary } from '@/ui/error-summary'
import { FormProblem } from '@/ui/form-problem'
import { SubmitButton } from '@/ui/submit-button'
import type { useForm } from '@/ui/use-form'
import { useUnsavedChangesPrompt } from '@/ui/use-unsaved-changes-prompt'

type DialogFormProps = {
  id: string
  leaveId: string
  title: string
  submit: string
  form: Pick<ReturnType<typeof useForm>, 'problems' | 'problem' | 'busy' | 'watch'>
  /** There are unsaved changes: closing and leaving need a confirmation. */
  dirty: boolean
  /** Shown between the fields and the buttons; it must be resolved before the form can be sent. */
  conflict: ReactNode
  onSubmit: () => void
  /** `stale` is true when the list may be out of date. */
  onClose: (stale: boolean) => void
  children: ReactNode
}

/** A form in a dialog that cannot be closed by accident. */
export function DialogForm(props: DialogFormProps) {
  const { id, leaveId, title, submit, form, dirty, conflict, children } = props
  const { problem, busy } = form
  const t = useT()
  const [asking, setAsking] = useState(false)
  const [leaving, decide] = useUnsavedChangesPrompt(() => dirty)
  const leave = () => props.onClose(problem !== null)
  const close = () => {
    if (busy) return
    if (dirty) setAsking(true)
    else leave()
  }
  return (
    <>
      <Dialog id={id} variant="form" title={title} onClose={close}>
        <form
          className="form wide-form"
          {...form.watch}
          onSubmit={(event) => {
            event.preventDefault()
            if (!conflict) props.onSubmit()
            else event.currentTarget.querySelector<HTMLElement>('.conflict')?.focus()
          }}
        >
          <ErrorSummary problems={form.problems} />
          {children}
          {conflict}
          <FormProblem problem={problem} />
          <div className="button-row seller-form-bar">
            <SubmitButton busy={busy}>{submit}</SubmitButton>
            <button type="button" className="button button-outline" disabled={busy} onClick={close}>
              {t('profile.cancel')}
            </button>
          </div>
        </form>
      </Dialog>
      {/* The dialog is outside the form, because a nested form would submit the outer one. */}
      {asking || leaving ? (
        <ConfirmDialog
          id={leaveId}
          title={t('seller.products.leavePrompt.title')}
          text={t('seller.products.leavePrompt.text')}
          confirm={t('seller.products.leavePrompt.discard')}
          keep={t('seller.products.leavePrompt.keepEditing')}
          onConfirm={() => (leaving ? decide(true) : leave())}
          onCancel={() => {
            decide(false)
            setAsking(false)
          }}
        />
      ) : null}
    </>
  )
}
