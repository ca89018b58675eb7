import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { ApiError, isServerError } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { serverText } from '@/api/server-text'
import { sessions } from '@/features/accounts/session'
import { sellerApi } from '@/features/seller/api'
import { settings } from '@/lib/first-data'
import { type MessageId, messageText, type RawText, useLang, useT } from '@/lib/i18n'
import { latinDigits } from '@/lib/latin-digits'
import { localText } from '@/lib/local-text'
import { paths } from '@/lib/paths'
import { PasswordField, TextField } from '@/ui/field'
import { LanguageSwitch } from '@/ui/language-switch'
import { LogoMark } from '@/ui/logo'
import { usePageTitle } from '@/ui/page-title'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

export function SellerLogin() {
  const t = useT()
  const lang = useLang()
  const navigate = useNavigate()
  usePageTitle(t('seller.login.title'))
  const [busy, run] = useBusy()
  const [problem, setProblem] = useState<MessageId | RawText | null>(null)
  /** The kind of code that the second step asks for; null in the first step. */
  const [wanted, setWanted] = useState<'code' | 'backup' | null>(null)
  const code = useRef<HTMLInputElement>(null)

  const ask = (next: 'code' | 'backup') => {
    setProblem(null)
    setWanted(next)
  }
  // The field of the other step exists only after it has been drawn.
  useEffect(() => {
    if (wanted) code.current?.focus()
  }, [wanted])

  const startAgain = () => {
    setProblem(null)
    setWanted(null)
  }

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const field = (name: string) => String(data.get(name) ?? '')
    void run(async () => {
      setProblem(null)
      toast.dismissAll()
      try {
        const typed = latinDigits(field('code'))
        const seller = await (wanted === null
          ? sellerApi.login(field('email').trim(), field('password'))
          : sellerApi.sendCode(wanted === 'code' ? typed.replace(/\D/g, '') : typed))
        await queryClient.cancelQueries({ queryKey: sessions.seller.queryKey })
        queryClient.setQueryData(sessions.seller.queryKey, seller)
        toast.success('auth.loggedIn')
        void navigate({ to: paths.seller })
      } catch (error) {
        // The password was right: the next step is missing, which is not an error.
        if (error instanceof ApiError && error.code === 'second_step') {
          ask('code')
          return
        }
        // The pending login has expired after five minutes, so the first step starts again.
        if (error instanceof ApiError && error.code === 'no_pending_login') setWanted(null)
        const broken = isServerError(error) ? 'session.500' : 'session.unreachable'
        const text = serverText(error, { refused: 'auth.failed', broken })
        setProblem(text)
        toast.error(text)
        // Selects the wrong code, so that the next one replaces it.
        code.current?.select()
      }
    })
  }

  return (
    <main id="main" className="seller-login" tabIndex={-1}>
      <Link className="wordmark" to={paths.home}>
        <LogoMark className="wordmark-mark" />
        {localText(settings, 'brand', lang)}
      </Link>
      <form className="form box" method="post" onSubmit={onSubmit}>
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
              maxLength={wanted === 'code' ? 7 : 24}
            />
            <button className="link" type="button" onClick={() => ask(wanted === 'code' ? 'backup' : 'code')}>
              {t(wanted === 'code' ? 'seller.login.useBackup' : 'seller.login.useCode')}
            </button>
          </>
        )}
        {problem ? <p className="form-problem">{messageText(problem)}</p> : null}
        <SubmitButton busy={busy} wide>
          {t('nav.login')}
        </SubmitButton>
        {wanted === null ? (
          <div className="seller-login-links">
            <InertLink label={t('auth.forgotLink')} />
            <InertLink label={t('seller.login.signUp')} />
          </div>
        ) : (
          <button className="link" type="button" onClick={startAgain}>
            {t('seller.login.startAgain')}
          </button>
        )}
      </form>
      <LanguageSwitch />
    </main>
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
