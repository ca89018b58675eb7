import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '@/api/client'
import { serverText } from '@/api/server-text'
import { Avatar } from '@/features/accounts/avatar'
import { googleSignInUrl } from '@/features/accounts/google-sign-in'
import { updateProfile } from '@/features/accounts/photo-api'
import type { User } from '@/features/accounts/session'
import { handleSessionEnded, setSignedIn } from '@/features/accounts/sign-in-out'
import { type PhotoChoice, PhotoField } from '@/features/media/photo-field'
import { type MessageId, messageText, type RawText, useT } from '@/lib/i18n'
import { isEmail, isPhone, normalizePhone } from '@/lib/phone'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { ErrorSummary } from '@/ui/error-summary'
import { Field, PasswordField, TextField } from '@/ui/field'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'
import { useFieldErrors } from '@/ui/use-field-errors'
import { useUnsavedChangesPrompt } from '@/ui/use-unsaved-changes-prompt'

const FIELDS = ['name', 'email', 'phone', 'address'] as const
type FieldName = (typeof FIELDS)[number]
type Errors = Partial<Record<FieldName, MessageId | RawText>>

/** Toasts of the profile last exactly this long, after success and after failure. */
const TOAST_MS = 3000

export function checkProfile(values: Record<FieldName, string>): Errors {
  return {
    ...(values.name.trim() ? {} : { name: 'profile.err.name' as const }),
    ...(isEmail(values.email) ? {} : { email: 'profile.err.email' as const }),
    ...(isPhone(values.phone) ? {} : { phone: 'profile.err.phone' as const }),
    ...(values.address.trim() ? {} : { address: 'profile.err.address' as const }),
  }
}

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
  const [busy, run] = useBusy()
  const [photo, setPhoto] = useState<PhotoChoice>(null)
  const [progress, setProgress] = useState<number>()
  const [problem, setProblem] = useState<MessageId | RawText | null>(null)
  // A new email address requires the password or a new login at the provider, unless the login is recent.
  const [proof, setProof] = useState<'password' | 'login' | null>(null)
  const [wrongPassword, setWrongPassword] = useState<MessageId | RawText | null>(null)
  const password = useRef<HTMLDivElement>(null)
  const form = useRef<HTMLFormElement>(null)

  const read = (): Record<FieldName, string> => {
    const data = form.current ? new FormData(form.current) : new FormData()
    const value = (name: FieldName) => String(data.get(name) ?? '')
    return { name: value('name'), email: value('email'), phone: value('phone'), address: value('address') }
  }
  const { errors, setErrors, attempt, refuse, watch } = useFieldErrors<Errors>(() => checkProfile(read()))
  const changed = () => {
    const values = read()
    return photo !== null || FIELDS.some((name) => values[name] !== user[name])
  }
  const [leaving, decide] = useUnsavedChangesPrompt(changed)

  useEffect(() => {
    form.current?.querySelector<HTMLElement>(`[name="${focusOn}"]`)?.focus()
  }, [focusOn])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a wrong password asks for the field again
  useEffect(() => {
    password.current?.querySelector('input')?.focus()
  }, [proof, wrongPassword])

  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    const values = read()
    setProblem(null)
    setWrongPassword(null)
    toast.dismissAll()
    const found = checkProfile(values)
    if (Object.keys(found).length > 0) return refuse(found)
    setErrors({})
    return void run(async () => {
      try {
        const sent = {
          name: values.name.trim(),
          email: values.email.trim(),
          phone: normalizePhone(values.phone),
          address: values.address.trim(),
          ...(proof === 'password'
            ? {
                currentPassword: String(new FormData(form.current ?? undefined).get('currentPassword') ?? ''),
              }
            : {}),
        }
        await setSignedIn(await updateProfile(sent, photo, setProgress))
        toast.success('profile.ok', undefined, TOAST_MS)
        onClose()
        await onSaved?.()
      } catch (error) {
        const text = serverText(error, { refused: 'profile.failed', broken: 'profile.failed' })
        const code = error instanceof ApiError ? error.code : undefined
        if (code === 'password_needed' || code === 'wrong_password') {
          setProof('password')
          setWrongPassword(code === 'wrong_password' ? text : null)
          return
        }
        toast.error('profile.failed', undefined, TOAST_MS)
        if (handleSessionEnded(error)) return
        if (code === 'fresh_login_needed') setProof('login')
        const field = FIELD_OF[code ?? '']
        if (field) refuse({ [field]: text })
        else setProblem(text)
      } finally {
        setProgress(undefined)
      }
    })
  }

  const problems = FIELDS.flatMap((name) => {
    const text = errors[name]
    return text ? [{ id: `profile-${name}`, text: messageText(text) }] : []
  })
  const wiring = (name: FieldName) => ({
    id: `profile-${name}`,
    name,
    defaultValue: user[name],
    error: errors[name] ? messageText(errors[name]) : undefined,
  })

  return (
    <>
      <form ref={form} className="form profile-form" noValidate onSubmit={onSubmit} {...watch}>
        <ErrorSummary problems={problems} attempt={attempt} />
        <PhotoField
          label={t('auth.photo')}
          choice={photo}
          onChoice={setPhoto}
          hasPhoto={Boolean(user.image)}
          progress={progress}
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
        <Field
          id="profile-address"
          label={t('profile.address')}
          hint={t('profile.addressHint')}
          error={wiring('address').error}
        >
          {(field) => (
            <textarea
              className="input"
              name="address"
              rows={2}
              autoComplete="street-address"
              defaultValue={user.address}
              {...field}
            />
          )}
        </Field>
        {proof === 'password' ? (
          <div ref={password}>
            <PasswordField
              label={t('profile.currentPassword')}
              name="currentPassword"
              autoComplete="current-password"
              error={wrongPassword ? messageText(wrongPassword) : undefined}
            />
          </div>
        ) : null}
        {problem ? (
          <p className="form-problem" role="alert">
            {messageText(problem)}{' '}
            {proof === 'login' ? (
              <a className="link" href={googleSignInUrl(true)}>
                {t('auth.google.again')}
              </a>
            ) : null}
          </p>
        ) : null}
        <div className="button-row form-bar">
          <SubmitButton busy={busy}>{t('profile.save')}</SubmitButton>
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
