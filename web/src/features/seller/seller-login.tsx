import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useId, useRef, useState } from 'react'
import { Refusal } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { serverText } from '@/api/server-text'
import { sessions } from '@/features/accounts/session'
import { sellerApi } from '@/features/seller/api'
import { settings } from '@/lib/first-data'
import { type MessageId, type RawText, say, useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { paths } from '@/lib/paths'
import { latinDigits } from '@/lib/typed-digits'
import { PasswordField, TextField } from '@/ui/field'
import { LanguageSwitch } from '@/ui/language-switch'
import { Mark } from '@/ui/logo'
import { usePageTitle } from '@/ui/page-title'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

const TEXTS = { refused: 'auth.failed', broken: 'session.500' } as const

export function SellerLogin() {
  const t = useT()
  const lang = useLang()
  const navigate = useNavigate()
  usePageTitle(t('seller.login.title'))
  const [busy, run] = useBusy()
  const [problem, setProblem] = useState<MessageId | RawText | null>(null)
  const [secondStep, setSecondStep] = useState(false)
  const code = useRef<HTMLInputElement>(null)

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const field = (name: string) => String(data.get(name) ?? '')
    void run(async () => {
      setProblem(null)
      toast.dismissAll()
      try {
        const digits = latinDigits(field('code')).replace(/\D/g, '')
        const seller = await sellerApi.login(field('email').trim(), field('password'), digits || undefined)
        await queryClient.cancelQueries({ queryKey: sessions.seller.queryKey })
        queryClient.setQueryData(sessions.seller.queryKey, seller)
        toast.success('auth.loggedIn')
        void navigate({ to: paths.seller })
      } catch (error) {
        // The password was right: what is missing is the next step, not a mistake to point at.
        if (error instanceof Refusal && error.code === 'second_step') {
          setSecondStep(true)
          setTimeout(() => code.current?.focus())
          return
        }
        const text = serverText(error, TEXTS)
        setProblem(text)
        toast.error(text)
      }
    })
  }

  return (
    <main id="main" className="seller-door" tabIndex={-1}>
      <Link className="wordmark" to={paths.home}>
        <Mark className="wordmark-mark" />
        {localText(settings, 'brand', lang)}
      </Link>
      <form className="form box" method="post" onSubmit={onSubmit}>
        <h1>{t('seller.login.title')}</h1>
        <TextField
          label={t('auth.email')}
          name="email"
          type="email"
          required
          autoComplete="username"
          inputMode="email"
        />
        <PasswordField label={t('auth.password')} name="password" required autoComplete="current-password" />
        {secondStep ? (
          <TextField
            ref={code}
            label={t('seller.login.code')}
            hint={t('seller.login.codeHint')}
            name="code"
            required
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={7}
          />
        ) : null}
        {problem ? <p className="form-problem">{say(problem)}</p> : null}
        <SubmitButton busy={busy} wide>
          {t('nav.login')}
        </SubmitButton>
        <div className="seller-links">
          <InertLink label={t('auth.forgotLink')} />
          <InertLink label={t('seller.login.signUp')} />
        </div>
      </form>
      <LanguageSwitch />
    </main>
  )
}

/** The shop has these two links and they lead nowhere yet; whoever reaches them is told so. */
function InertLink({ label }: { label: string }) {
  const t = useT()
  const id = useId()
  return (
    <span>
      {/* biome-ignore lint/a11y/useValidAnchor: it goes nowhere on purpose, and says so */}
      <a role="link" tabIndex={0} aria-disabled="true" aria-describedby={id} title={t('seller.login.notYet')}>
        {label}
      </a>
      <span id={id} className="sr-only">
        {t('seller.login.notYet')}
      </span>
    </span>
  )
}
