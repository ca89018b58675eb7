import { type ComponentProps, type ReactNode, type RefObject, useState } from 'react'
import { FormProblem } from '@/features/catalogue/seller/form-problem'
import type { useSubmit } from '@/features/catalogue/seller/use-submit'
import { useT } from '@/lib/i18n'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { Dialog } from '@/ui/dialog'
import { ErrorSummary } from '@/ui/error-summary'
import { SubmitButton } from '@/ui/submit-button'
import { useUnsavedChangesPrompt } from '@/ui/use-unsaved-changes-prompt'

type DialogFormProps = {
  id: string
  leaveId: string
  title: string
  submit: string
  form?: RefObject<HTMLFormElement | null>
  problems: ComponentProps<typeof ErrorSummary>['problems']
  /** How the sending stands; see `useSubmit`. */
  sending: Pick<ReturnType<typeof useSubmit>, 'attempt' | 'problem' | 'busy' | 'watch'>
  /** There is something to lose: closing and leaving are asked about. */
  dirty: boolean
  /** Stands between the fields and the buttons; as long as it does, it has to be settled first. */
  conflict: ReactNode
  onSubmit: () => void
  /** `stale` when the list may show what is no longer so. */
  onClose: (stale: boolean) => void
  children: ReactNode
}

/** A form in a dialog that nobody closes by accident. */
export function DialogForm(props: DialogFormProps) {
  const { id, leaveId, title, submit, form, problems, sending, dirty, conflict, children } = props
  const { attempt, problem, busy, watch } = sending
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
          ref={form}
          className="form wide-form"
          noValidate
          {...watch}
          onSubmit={(event) => {
            event.preventDefault()
            if (!conflict) props.onSubmit()
            else event.currentTarget.querySelector<HTMLElement>('.conflict')?.focus()
          }}
        >
          <ErrorSummary problems={problems} attempt={attempt} />
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
      {/* Outside: a form inside a form sends the outer one. */}
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
