import { useEffect, useRef, useState } from 'react'
import { ApiError, type Schemas } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { serverText } from '@/api/server-text'
import { type Seller, sessions } from '@/features/accounts/session'
import { securityApi } from '@/features/staff/security-api'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { useT } from '@/lib/i18n'
import { latinDigits } from '@/lib/latin-digits'
import { PasswordField, TextField } from '@/ui/field'
import { FormProblem } from '@/ui/form-problem'
import { lazyWithRetry } from '@/ui/lazy-with-retry'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { failure, type ReadField, useForm } from '@/ui/use-form'

const TEXTS = { refused: 'auth.generic', broken: 'auth.generic' } as const
const QrCode = lazyWithRetry(
  async () => (await import('@/ui/qr-code')).QrCode,
  <div className="qr-code skeleton" />,
)

type Pending = Schemas['PendingSecondFactor']

/** Sets up two-step login: start, scan the secret and confirm it with a code, keep the backup codes. */
export function SecondFactor({ seller, onDone }: { seller: Seller; onDone?: () => void }) {
  const [pending, setPending] = useState<Pending | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const finish = () => {
    setCodes(null)
    queryClient.setQueryData<Seller>(sessions.seller.queryKey, (known) =>
      known ? { ...known, secondFactor: true, secondFactorSetupNeeded: false } : known,
    )
    onDone?.()
  }
  if (codes) return <BackupCodes codes={codes} onDone={finish} />
  if (pending) return <Confirm pending={pending} onCodes={setCodes} onCancel={() => setPending(null)} />
  return <Start seller={seller} onStarted={setPending} />
}

function Start({ seller, onStarted }: { seller: Seller; onStarted: (pending: Pending) => void }) {
  const t = useT()
  const [withPassword, setWithPassword] = useState(false)
  const form = useForm<'password'>({
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'password_needed') {
        setWithPassword(true)
        return undefined
      }
      if (handleSellerSessionEnded(error)) return undefined
      const wrong = error instanceof ApiError && error.code === 'wrong_password'
      return failure(serverText(error, TEXTS), wrong ? 'password' : undefined)
    },
  })
  const start = async (read: ReadField) =>
    onStarted(await securityApi.startSecondFactor(withPassword ? read('password') : undefined))
  return (
    <form className="form" method="post" {...form.bind(start)}>
      <p>{t(seller.secondFactor ? 'seller.secondFactor.on' : 'seller.secondFactor.off')}</p>
      {withPassword ? (
        <PasswordField
          label={t('password.current')}
          hint={t('seller.security.passwordText')}
          name="password"
          required
          autoComplete="current-password"
          error={form.error('password')}
        />
      ) : null}
      <FormProblem problem={form.problem} announced={false} />
      <div className="button-row">
        <SubmitButton busy={form.busy}>
          {t(seller.secondFactor ? 'seller.secondFactor.replace' : 'seller.secondFactor.setUp')}
        </SubmitButton>
      </div>
    </form>
  )
}

type ConfirmProps = { pending: Pending; onCodes: (codes: string[]) => void; onCancel: () => void }

function Confirm({ pending, onCodes, onCancel }: ConfirmProps) {
  const t = useT()
  const code = useRef<HTMLInputElement>(null)
  const first = useRef<HTMLParagraphElement>(null)
  // The button that was pressed is gone, and on a phone the code would be behind the bar at the bottom.
  useEffect(() => {
    first.current?.focus({ preventScroll: true })
    first.current?.scrollIntoView({ block: 'start' })
  }, [])
  const form = useForm<'code'>({
    onError: (error) => {
      const wrong = error instanceof ApiError && error.code === 'wrong_code'
      if (!wrong && handleSellerSessionEnded(error)) return undefined
      code.current?.select()
      return failure(serverText(error, TEXTS), wrong ? 'code' : undefined)
    },
  })
  const confirm = async (read: ReadField) => {
    const typed = latinDigits(read('code')).replace(/\D/g, '')
    onCodes((await securityApi.setUpSecondFactor(typed)).backupCodes)
  }
  return (
    <form className="form" method="post" {...form.bind(confirm)}>
      <p ref={first} tabIndex={-1}>
        {t('seller.secondFactor.scan')}
      </p>
      <QrCode text={pending.otpauthUrl} label={t('seller.secondFactor.qr')} />
      <p>
        {t('seller.secondFactor.orType')}{' '}
        <code className="secret" translate="no">
          {pending.secret.match(/.{1,4}/g)?.join(' ')}
        </code>
      </p>
      <a className="button button-outline" href={pending.otpauthUrl}>
        {t('seller.secondFactor.openApp')}
      </a>
      <TextField
        ref={code}
        label={t('seller.login.code')}
        hint={t('seller.login.codeHint')}
        name="code"
        required
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={7}
        error={form.error('code')}
      />
      <FormProblem problem={form.problem} announced={false} />
      <div className="button-row">
        <button type="button" className="button button-outline" disabled={form.busy} onClick={onCancel}>
          {t('profile.cancel')}
        </button>
        <SubmitButton busy={form.busy}>{t('seller.secondFactor.confirm')}</SubmitButton>
      </div>
    </form>
  )
}

/** Shown once; the server stores only their hashes. */
function BackupCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const t = useT()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const copy = () =>
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => toast.success('seller.secondFactor.copied'),
      () => toast.error('auth.generic'),
    )
  return (
    <div className="form">
      <h3 ref={heading} tabIndex={-1}>
        {t('seller.secondFactor.codes')}
      </h3>
      <p>{t('seller.secondFactor.codesText')}</p>
      <ul className="backup-codes" translate="no">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="button-row">
        <button type="button" className="button button-outline" onClick={() => void copy()}>
          {t('seller.secondFactor.copy')}
        </button>
        <button type="button" className="button button-primary" onClick={onDone}>
          {t('seller.secondFactor.saved')}
        </button>
      </div>
    </div>
  )
}
