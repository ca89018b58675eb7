import { useEffect, useState } from 'react'
import { ApiError } from '@/api/client'
import { serverText } from '@/api/server-text'
import { Avatar } from '@/features/accounts/avatar'
import { googleSignInUrl } from '@/features/accounts/google-sign-in'
import { updateProfile } from '@/features/accounts/photo-api'
import type { User } from '@/features/accounts/session'
import { handleSessionEnded, setSignedIn } from '@/features/accounts/sign-in-out'
import { type PhotoChoice, PhotoField } from '@/features/media/photo-field'
import { useT } from '@/lib/i18n'
import { isEmail, isPhone, normalizePhone } from '@/lib/phone'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { ErrorSummary } from '@/ui/error-summary'
import { LongField, PasswordField, TextField } from '@/ui/field'
import { FormProblem } from '@/ui/form-problem'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { type FormErrors, type ReadField, useForm } from '@/ui/use-form'
import { useUnsavedChangesPrompt } from '@/ui/use-unsaved-changes-prompt'

const FIELDS = ['name', 'email', 'phone', 'address'] as const
type FieldName = (typeof FIELDS)[number]

/** Toasts of the profile last exactly this long, after success and after failure. */
const TOAST_MS = 3000

export function checkProfile(values: Record<FieldName, string>): FormErrors<FieldName> {
  return {
    ...(values.name.trim() ? {} : { name: 'profile.err.name' as const }),
    ...(isEmail(values.email) ? {} : { email: 'profile.err.email' as const }),
    ...(isPhone(values.phone) ? {} : { phone: 'profile.err.phone' as const }),
    ...(values.address.trim() ? {} : { address: 'profile.err.address' as const }),
  }
}

const readProfile = (read: ReadField): Record<FieldName, string> => ({
  name: read('name'),
  email: read('email'),
  phone: read('phone'),
  address: read('address'),
})

/** Maps the server's field names to those of the form. */
const FIELD_OF: Record<string, FieldName> = {
  name_required: 'name',
  email_invalid: 'email',
  email_taken: 'email',
  phone_invalid: 'phone',
  address_required: 'address',
}

type ProfileFormProps = {
  user: User
  /** The field that has the focus first. */
  focusOn?: FieldName
  onSaved?: () => Promise<void>
  onClose: () => void
}

export function ProfileForm({ user, focusOn = 'name', onSaved, onClose }: ProfileFormProps) {
  const t = useT()
  const [photo, setPhoto] = useState<PhotoChoice>(null)
  // A new email address requires the password or a new login at the provider, unless the login is recent.
  const [proof, setProof] = useState<'password' | 'login' | null>(null)
  const form = useForm<FieldName | 'currentPassword'>({
    id: 'profile',
    names: FIELDS,
    check: (read) => checkProfile(readProfile(read)),
    onError: (error) => {
      const text = serverText(error, { refused: 'profile.failed', broken: 'profile.failed' })
      const code = error instanceof ApiError ? error.code : undefined
      if (code === 'password_needed' || code === 'wrong_password') {
        setProof('password')
        return code === 'wrong_password' ? { errors: { currentPassword: text } } : undefined
      }
      toast.error('profile.failed', undefined, TOAST_MS)
      if (handleSessionEnded(error)) return undefined
      if (code === 'fresh_login_needed') setProof('login')
      const field = FIELD_OF[code ?? '']
      return field ? { errors: { [field]: text } } : { problem: text }
    },
  })
  const changed = () => {
    const values = readProfile(form.read)
    return photo !== null || FIELDS.some((name) => values[name] !== user[name])
  }
  const [leaving, decide] = useUnsavedChangesPrompt(changed)

  const { ref } = form
  useEffect(() => {
    ref.current?.querySelector<HTMLElement>(`[name="${focusOn}"]`)?.focus()
  }, [ref, focusOn])
  useEffect(() => {
    if (proof === 'password') ref.current?.querySelector<HTMLElement>('[name="currentPassword"]')?.focus()
  }, [ref, proof])

  const save = async (read: ReadField, onProgress: (part: number) => void) => {
    const { name, email, phone, address } = readProfile(read)
    const sent = {
      name: name.trim(),
      email: email.trim(),
      phone: normalizePhone(phone),
      address: address.trim(),
      ...(proof === 'password' ? { currentPassword: read('currentPassword') } : {}),
    }
    await setSignedIn(await updateProfile(sent, photo, onProgress))
    toast.success('profile.ok', undefined, TOAST_MS)
    onClose()
    await onSaved?.()
  }
  const wiring = (name: FieldName) => ({ ...form.field(name), defaultValue: user[name] })

  return (
    <>
      <form className="form profile-form" {...form.bind(save)}>
        <ErrorSummary problems={form.problems} />
        <PhotoField
          label={t('auth.photo')}
          choice={photo}
          onChoice={setPhoto}
          hasPhoto={Boolean(user.image)}
          progress={form.progress}
          now={<Avatar user={user} big />}
        />
        <TextField {...wiring('name')} label={t('profile.name')} autoComplete="name" maxLength={100} />
        <TextField
          {...wiring('email')}
          label={t('auth.email')}
          hint={t('profile.emailHint')}
          type="email"
          autoComplete="email"
          inputMode="email"
        />
        <TextField
          {...wiring('phone')}
          label={t('auth.phone')}
          type="tel"
          autoComplete="tel"
          inputMode="numeric"
        />
        <LongField
          {...wiring('address')}
          label={t('profile.address')}
          hint={t('profile.addressHint')}
          rows={2}
          autoComplete="street-address"
        />
        {proof === 'password' ? (
          <PasswordField
            {...form.field('currentPassword')}
            label={t('profile.currentPassword')}
            autoComplete="current-password"
          />
        ) : null}
        <FormProblem problem={form.problem}>
          {' '}
          {proof === 'login' ? (
            <a className="link" href={googleSignInUrl(true)}>
              {t('auth.google.again')}
            </a>
          ) : null}
        </FormProblem>
        <div className="button-row form-bar">
          <SubmitButton busy={form.busy}>{t('profile.save')}</SubmitButton>
          <button type="button" className="button button-outline" onClick={onClose}>
            {t('profile.cancel')}
          </button>
        </div>
      </form>
      {/* The dialog is outside the form, because a nested form would submit the outer one. */}
      {leaving ? (
        <ConfirmDialog
          id="leave"
          title={t('profile.leave.title')}
          text={t('profile.leave.text')}
          confirm={t('profile.leave.go')}
          onConfirm={() => decide(true)}
          onCancel={() => decide(false)}
        />
      ) : null}
    </>
  )
}
