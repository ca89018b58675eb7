import { type ComponentProps, useEffect } from 'react'
import { useT } from '@/lib/i18n'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { PasswordField } from '@/ui/field'
import type { useForm } from '@/ui/use-form'

type PasswordDialogProps = Omit<ComponentProps<typeof ConfirmDialog>, 'busy' | 'formRef' | 'children'> & {
  form: ReturnType<typeof useForm<'password'>>
  /** Whether the account's password is needed to confirm. */
  withPassword: boolean
  /** Whether the password has the focus first; it is false where the question must be read before. */
  focusPassword: boolean
}

/** Asks before something is lost, with a field for the account's password where it is needed. */
export function PasswordDialog({ form, withPassword, focusPassword, ...dialog }: PasswordDialogProps) {
  const t = useT()
  const { ref } = form
  useEffect(() => {
    if (focusPassword) ref.current?.querySelector('input')?.focus()
  }, [ref, focusPassword])
  return (
    <ConfirmDialog {...dialog} formRef={ref} busy={form.busy}>
      {withPassword ? (
        <PasswordField
          label={t('password.current')}
          name="password"
          required
          autoComplete="current-password"
          error={form.error('password')}
        />
      ) : null}
    </ConfirmDialog>
  )
}
