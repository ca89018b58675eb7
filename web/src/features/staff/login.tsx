import { useNavigate } from '@tanstack/react-router'
import { useEffect, useId, useRef, useState } from 'react'
import { ApiError, isServerError } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { serverText } from '@/api/server-text'
import { type Seller, sessions } from '@/features/accounts/session'
import { sellerApi } from '@/features/staff/api'
import { SignInFrame } from '@/features/staff/sign-in-frame'
import { loadWithMessages, useT } from '@/lib/i18n'
import { latinDigits } from '@/lib/latin-digits'
import { paths } from '@/lib/paths'
import { PasswordField, TextField } from '@/ui/field'
import { FormProblem } from '@/ui/form-problem'
import { lazyWithRetry } from '@/ui/lazy-with-retry'
import { usePageTitle } from '@/ui/page-title'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { failure, type ReadField, useForm } from '@/ui/use-form'

const RememberDevice = lazyWithRetry(async () => {
  const part = await loadWithMessages(
    'features/staff/counter-device',
    () => import('@/features/staff/counter-device'),
  )
  return part.RememberDevice
})

export function SellerLogin() {
  const t = useT()
  const navigate = useNavigate()
  usePageTitle(t('seller.login.title'))
  /** The kind of code that the second step asks for; null in the first step. */
  const [wanted, setWanted] = useState<'code' | 'backup' | null>(null)
  const code = useRef<HTMLInputElement>(null)
  const [remember, setRemember] = useState(false)
  /** The seller who has logged in and still chooses the PIN of this device. */
  const [choosing, setChoosing] = useState<Seller | null>(null)

  const form = useForm({
    onError: (error) => {
      // The password was right: the next step is missing, which is not an error.
      if (error instanceof ApiError && error.code === 'second_step') {
        ask('code')
        return undefined
      }
      // The pending login has expired after five minutes, so the first step starts again.
      if (error instanceof ApiError && error.code === 'no_pending_login') setWanted(null)
      // Selects the wrong code, so that the next one replaces it.
      code.current?.select()
      const broken = isServerError(error) ? 'session.500' : 'session.unreachable'
      return failure(serverText(error, { refused: 'auth.failed', broken }))
    },
  })
  /** Goes to another step; null is the first one. */
  const ask = (next: 'code' | 'backup' | null) => {
    form.setProblem(null)
    setWanted(next)
  }
  // The field of the other step exists only after it has been drawn.
  useEffect(() => {
    if (wanted) code.current?.focus()
  }, [wanted])

  const login = async (read: ReadField) => {
    const typed = latinDigits(read('code'))
    const seller = await (wanted === null
      ? sellerApi.login(read('email').trim(), read('password'))
      : sellerApi.sendCode(wanted === 'code' ? typed.replace(/\D/g, '') : typed))
    const isReady = !seller.passwordChangeNeeded && !seller.secondFactorSetupNeeded
    if (remember && isReady) setChoosing(seller)
    else await enter(seller)
  }
  const enter = async (seller: Seller) => {
    await queryClient.cancelQueries({ queryKey: sessions.seller.queryKey })
    queryClient.setQueryData(sessions.seller.queryKey, seller)
    toast.success('auth.loggedIn')
    void navigate({ to: paths.seller })
  }

  if (choosing) {
    return (
      <SignInFrame>
        <div className="box first-password">
          <h1>{t('seller.login.remember')}</h1>
          <RememberDevice
            onRemembered={() => void enter({ ...choosing, deviceRemembered: true })}
            onSkip={() => void enter(choosing)}
          />
        </div>
      </SignInFrame>
    )
  }

  return (
    <SignInFrame>
      <form className="form box" method="post" {...form.bind(login)}>
        <h1>{t('seller.login.title')}</h1>
        {wanted === null ? (
          <>
            <TextField
              label={t('auth.email')}
              name="email"
              type="email"
              required
              autoComplete="username"
              inputMode="email"
            />
            <PasswordField
              label={t('auth.password')}
              name="password"
              required
              autoComplete="current-password"
            />
            <label className="checkbox-label">
              <input
                type="checkbox"
                checked={remember}
                onChange={({ target }) => setRemember(target.checked)}
              />
              {t('seller.login.remember')}
            </label>
          </>
        ) : (
          <>
            <TextField
              key={wanted}
              ref={code}
              label={t(wanted === 'code' ? 'seller.login.code' : 'seller.login.backup')}
              hint={t(wanted === 'code' ? 'seller.login.codeHint' : 'seller.login.backupHint')}
              name="code"
              required
              autoComplete={wanted === 'code' ? 'one-time-code' : 'off'}
              inputMode={wanted === 'code' ? 'numeric' : 'text'}
              maxLength={wanted === 'code' ? 7 : 29}
            />
            <button className="link" type="button" onClick={() => ask(wanted === 'code' ? 'backup' : 'code')}>
              {t(wanted === 'code' ? 'seller.login.useBackup' : 'seller.login.useCode')}
            </button>
          </>
        )}
        <FormProblem problem={form.problem} announced={false} />
        <SubmitButton busy={form.busy} wide>
          {t('nav.login')}
        </SubmitButton>
        {wanted === null ? (
          <div className="seller-login-links">
            <InertLink label={t('auth.forgotLink')} />
            <InertLink label={t('seller.login.signUp')} />
          </div>
        ) : (
          <button className="link" type="button" onClick={() => ask(null)}>
            {t('seller.login.startAgain')}
          </button>
        )}
      </form>
    </SignInFrame>
  )
}

/** The specification requires these two links, which lead nowhere yet; their description says so. */
function InertLink({ label }: { label: string }) {
  const t = useT()
  const id = useId()
  return (
    <span>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads nowhere on purpose, and its description says so */}
      <a
        role="link"
        tabIndex={0}
        aria-disabled="true"
        aria-describedby={id}
        title={t('seller.login.notAvailable')}
      >
        {label}
      </a>
      <span id={id} className="sr-only">
        {t('seller.login.notAvailable')}
      </span>
    </span>
  )
}
