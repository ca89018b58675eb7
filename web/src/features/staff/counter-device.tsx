import { useState } from 'react'
import { ApiError } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { serverText } from '@/api/server-text'
import { type Seller, sessions } from '@/features/accounts/session'
import { securityApi, sellerDevices } from '@/features/staff/security-api'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { deviceLocked } from '@/features/staff/session-guard'
import { useT } from '@/lib/i18n'
import { latinDigits } from '@/lib/latin-digits'
import { PasswordField, TextField } from '@/ui/field'
import { FormProblem } from '@/ui/form-problem'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'
import { failure, type ReadField, useForm } from '@/ui/use-form'

const TEXTS = { refused: 'auth.generic', broken: 'auth.generic' } as const

function setRemembered(remembered: boolean) {
  queryClient.setQueryData<Seller>(sessions.seller.queryKey, (known) =>
    known ? { ...known, deviceRemembered: remembered } : known,
  )
  void queryClient.invalidateQueries({ queryKey: sellerDevices.queryKey })
}

/** Remembers the device at the counter, or forgets it again. */
export function CounterDevice({ seller }: { seller: Seller }) {
  return seller.deviceRemembered ? (
    <Remembered />
  ) : (
    <RememberDevice onRemembered={() => setRemembered(true)} />
  )
}

function Remembered() {
  const t = useT()
  const [busy, run] = useBusy()
  const change = (work: () => Promise<unknown>) =>
    run(async () => {
      try {
        await work()
      } catch (error) {
        if (!handleSellerSessionEnded(error)) toast.error(serverText(error, TEXTS))
      }
    })
  const lock = async () => {
    await securityApi.lockDevice()
    deviceLocked.set(true)
  }
  const forget = async () => {
    await securityApi.forgetDevice()
    setRemembered(false)
    toast.success('seller.device.forgotten')
  }
  return (
    <div className="form">
      <p>{t('seller.device.on')}</p>
      <div className="button-row">
        <button
          type="button"
          className="button button-outline"
          disabled={busy}
          onClick={() => void change(forget)}
        >
          {t('seller.device.forget')}
        </button>
        <button
          type="button"
          className="button button-primary"
          disabled={busy}
          onClick={() => void change(lock)}
        >
          {t('seller.device.lockNow')}
        </button>
      </div>
    </div>
  )
}

/** The form that chooses the PIN of this device. */
export function RememberDevice({ onRemembered, onSkip }: { onRemembered: () => void; onSkip?: () => void }) {
  const t = useT()
  const [withPassword, setWithPassword] = useState(false)
  const form = useForm<'pin' | 'password'>({
    onError: (error) => {
      const code = (error instanceof ApiError && error.code) || ''
      if (code === 'password_needed') {
        setWithPassword(true)
        return undefined
      }
      if (handleSellerSessionEnded(error)) return undefined
      const field = code.startsWith('pin_') ? 'pin' : code === 'wrong_password' ? 'password' : undefined
      return failure(serverText(error, TEXTS), field)
    },
  })
  const remember = async (read: ReadField) => {
    const pin = latinDigits(read('pin')).trim()
    await securityApi.rememberDevice(pin, withPassword ? read('password') : undefined)
    toast.success('seller.device.remembered')
    onRemembered()
  }
  return (
    <form className="form" method="post" {...form.bind(remember)}>
      <p>{t('seller.device.text')}</p>
      <TextField
        label={t('seller.device.pin')}
        hint={t('seller.device.pinHint')}
        name="pin"
        type="password"
        required
        autoComplete="off"
        inputMode="numeric"
        maxLength={8}
        error={form.error('pin')}
      />
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
        {onSkip ? (
          <button type="button" className="button button-outline" disabled={form.busy} onClick={onSkip}>
            {t('seller.device.skip')}
          </button>
        ) : null}
        <SubmitButton busy={form.busy}>{t('seller.device.remember')}</SubmitButton>
      </div>
    </form>
  )
}
