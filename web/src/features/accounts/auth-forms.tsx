import '@/styles/account.css'
import { Fragment, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { serverText } from '@/api/server-text'
import { accountsApi } from '@/features/accounts/api'
import { type AuthMode, authDialog } from '@/features/accounts/auth-dialog'
import { googleSignInUrl, linkIdentity, pendingIdentity } from '@/features/accounts/google-sign-in'
import { register } from '@/features/accounts/photo-api'
import { useUser } from '@/features/accounts/session'
import { recentSignIn, setSignedIn } from '@/features/accounts/sign-in-out'
import { type PhotoChoice, PhotoField } from '@/features/media/photo-field'
import { settings } from '@/lib/first-data'
import { loadWithMessages, type MessageId, useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { toStoredPhone } from '@/lib/phone'
import { PasswordField, TextField } from '@/ui/field'
import { FormProblem } from '@/ui/form-problem'
import { GoogleMark, PersonIcon } from '@/ui/icons-forms'
import { lazyWithRetry } from '@/ui/lazy-with-retry'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { failure, type ReadField, useForm } from '@/ui/use-form'

const PhoneLogin = lazyWithRetry(
  async () =>
    (await loadWithMessages('features/accounts/phone-login', () => import('@/features/accounts/phone-login')))
      .PhoneLogin,
  <div className="auth-skeleton skeleton" />,
)

/** The content of the login dialog. The email address survives a change of mode, so that it is typed only once. */
export function AuthForms({ mode }: { mode: AuthMode }) {
  const [email, setEmail] = useState('')
  const box = useRef<HTMLDivElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: each mode has its own first field
  useEffect(() => {
    // On a touch screen the focus would open the keyboard over the buttons.
    if (matchMedia('(pointer: fine)').matches) box.current?.querySelector('input')?.focus()
  }, [mode])

  return (
    <div ref={box} className="auth">
      {mode === 'login' || mode === 'register' ? <ModeSwitch mode={mode} /> : null}
      {mode === 'login' ? <LoginForm email={email} onEmail={setEmail} /> : null}
      {mode === 'register' ? <RegisterForm email={email} onEmail={setEmail} /> : null}
      {mode === 'forgot' ? <ForgotForm email={email} onEmail={setEmail} /> : null}
      {mode === 'link' ? <LinkForm /> : null}
      {mode === 'phone' ? <PhoneLogin onDone={() => done('auth.loggedIn')} /> : null}
      {mode === 'login' && settings.googleSignIn ? <Consent /> : null}
    </div>
  )
}

/** The sentence beside which an account is created; the server records the versions of both pages. */
function Consent() {
  const t = useT()
  const links: Record<string, ReactNode> = {
    terms: (
      <a className="link" href={paths.terms} target="_blank" rel="noopener">
        {t('policies.terms')}
      </a>
    ),
    privacy: (
      <a className="link" href={paths.privacy} target="_blank" rel="noopener">
        {t('policies.privacy')}
      </a>
    ),
  }
  const parts = t('auth.consent', { terms: '|terms|', privacy: '|privacy|' }).split('|')
  return (
    <p className="auth-consent">
      {parts.map((part) => (
        <Fragment key={part}>{links[part] ?? part}</Fragment>
      ))}
    </p>
  )
}

function ModeSwitch({ mode }: { mode: AuthMode }) {
  const t = useT()
  // A shopper who is signed in and sees this dialog has to confirm their identity.
  const signedInAlready = useUser().user !== null
  const button = (to: AuthMode, label: MessageId) => (
    <button
      type="button"
      aria-pressed={mode === to}
      onClick={() => {
        // A message about the other form does not apply to this one.
        if (mode !== to) toast.dismissAll()
        authDialog.show(to)
      }}
    >
      {t(label)}
    </button>
  )
  return (
    <>
      <div className="segments">
        {button('login', 'nav.login')}
        {button('register', 'auth.signUp')}
      </div>
      {settings.googleSignIn ? (
        <>
          <a className="button button-outline google" href={googleSignInUrl(signedInAlready)}>
            <GoogleMark />
            {t('auth.google')}
          </a>
          <p className="auth-or">
            <span>{t('auth.or')}</span>
          </p>
        </>
      ) : null}
    </>
  )
}

/**
 * A form of the dialog: the browser checks its fields; the server's message appears above the button and in a toast.
 */
function AuthForm({
  submit,
  label,
  texts,
  children,
}: {
  submit: (field: ReadField) => Promise<void>
  label: string
  texts: { refused: MessageId; broken: MessageId }
  children: ReactNode
}) {
  const form = useForm({ onError: (error) => failure(serverText(error, texts)) })
  return (
    <form className="form" method="post" {...form.bind(submit)}>
      {children}
      <FormProblem problem={form.problem} announced={false} />
      <SubmitButton busy={form.busy} wide>
        {label}
      </SubmitButton>
    </form>
  )
}

type EmailProps = { email: string; onEmail: (email: string) => void }

function EmailField({ email, onEmail }: EmailProps) {
  const t = useT()
  return (
    <TextField
      label={t('auth.email')}
      name="email"
      type="email"
      required
      autoComplete="email"
      inputMode="email"
      value={email}
      onChange={(event) => onEmail(event.target.value)}
    />
  )
}

/** The dialog closes first, because a toast that is shown inside it would disappear with it. */
function done(text: MessageId) {
  recentSignIn.fresh = true
  authDialog.close()
  toast.success(text)
}

const LOGIN_TEXTS = { refused: 'auth.failed', broken: 'auth.generic' } as const

function LoginForm({ email, onEmail }: EmailProps) {
  const t = useT()
  const password = useRef<HTMLInputElement>(null)
  return (
    <AuthForm
      label={t('nav.login')}
      texts={LOGIN_TEXTS}
      submit={async (field) => {
        try {
          await setSignedIn(await accountsApi.login(field('email').trim(), field('password')))
        } catch (error) {
          if (password.current) password.current.value = ''
          throw error
        }
        done('auth.loggedIn')
      }}
    >
      <EmailField email={email} onEmail={onEmail} />
      <PasswordField
        ref={password}
        label={t('auth.password')}
        name="password"
        required
        autoComplete="current-password"
      />
      <ForgotLink />
      {settings.phoneSignIn ? (
        <button type="button" className="link auth-forgot" onClick={() => authDialog.show('phone')}>
          {t('auth.phoneLogin')}
        </button>
      ) : null}
    </AuthForm>
  )
}

function ForgotLink() {
  const t = useT()
  return (
    <button type="button" className="link auth-forgot" onClick={() => authDialog.show('forgot')}>
      {t('auth.forgotLink')}
    </button>
  )
}

const REGISTER_TEXTS = { refused: 'auth.registerFailed', broken: 'auth.generic' } as const

function RegisterForm({ email, onEmail }: EmailProps) {
  const t = useT()
  const [photo, setPhoto] = useState<PhotoChoice>(null)
  const [progress, setProgress] = useState<number>()
  return (
    <AuthForm
      label={t('auth.create')}
      texts={REGISTER_TEXTS}
      submit={async (field) => {
        const fields = {
          name: field('name').trim(),
          email: field('email').trim(),
          password: field('password'),
          phone: toStoredPhone(field('phone')) ?? field('phone').trim(),
        }
        try {
          await setSignedIn(await register(fields, photo instanceof File ? photo : null, setProgress))
        } finally {
          setProgress(undefined)
        }
        done('auth.registered')
      }}
    >
      <Consent />
      <TextField label={t('auth.name')} name="name" required autoComplete="name" maxLength={100} />
      <TextField
        label={t('auth.phone')}
        hint={t('auth.phoneHint')}
        name="phone"
        type="tel"
        required
        autoComplete="tel"
        inputMode="tel"
      />
      <EmailField email={email} onEmail={onEmail} />
      <PasswordField
        label={t('auth.password')}
        hint={t('auth.passwordHint')}
        name="password"
        required
        autoComplete="new-password"
      />
      <PhotoField
        label={t('auth.photo')}
        choice={photo}
        onChoice={setPhoto}
        progress={progress}
        now={
          <span className="avatar avatar-big">
            <PersonIcon size={32} />
          </span>
        }
      />
    </AuthForm>
  )
}

function ForgotForm({ email, onEmail }: EmailProps) {
  const t = useT()
  const [sent, setSent] = useState(false)
  const id = useId()
  const back = (
    <button type="button" className="link" onClick={() => authDialog.show('login')}>
      {t('auth.backToLogin')}
    </button>
  )
  if (sent) {
    return (
      <div className="form" role="status">
        <p id={id}>{t('auth.forgotSent')}</p>
        {back}
      </div>
    )
  }
  return (
    <>
      <p>{t('auth.forgotText')}</p>
      <AuthForm
        label={t('auth.forgotSend')}
        texts={{ refused: 'auth.generic', broken: 'auth.generic' }}
        submit={async (field) => {
          await accountsApi.forgotPassword(field('email').trim())
          setSent(true)
        }}
      >
        <EmailField email={email} onEmail={onEmail} />
      </AuthForm>
      {back}
    </>
  )
}

const LINK_TEXTS = { refused: 'auth.google.failed', broken: 'auth.google.error' } as const

function LinkForm() {
  const t = useT()
  const email = pendingIdentity()?.email ?? ''
  return (
    <>
      <p>{t('auth.linkText', { email })}</p>
      <AuthForm
        label={t('auth.linkSend')}
        texts={LINK_TEXTS}
        submit={async (field) => {
          await linkIdentity(field('password'))
          done('auth.google.ok')
        }}
      >
        {/* Tells password managers which account the password belongs to. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordField label={t('auth.password')} name="password" required autoComplete="current-password" />
        {/* A person who does not know the password, perhaps because someone else registered the address, can reset it by email. */}
        <ForgotLink />
      </AuthForm>
    </>
  )
}
