import { useEffect, useRef } from 'react'
import { ApiError } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { serverText } from '@/api/server-text'
import { sessions } from '@/features/accounts/session'
import { securityApi } from '@/features/staff/security-api'
import { deviceLocked } from '@/features/staff/session-guard'
import { SignInFrame } from '@/features/staff/sign-in-frame'
import { useT } from '@/lib/i18n'
import { latinDigits } from '@/lib/latin-digits'
import { TextField } from '@/ui/field'
import { FormProblem } from '@/ui/form-problem'
import { usePageTitle } from '@/ui/page-title'
import { SubmitButton } from '@/ui/submit-button'
import { failure, type ReadField, useForm } from '@/ui/use-form'

const TEXTS = { refused: 'auth.generic', broken: 'auth.generic' } as const

/** Shown instead of the dashboard while this device is locked. */
export function LockScreen() {
  const t = useT()
  usePageTitle(t('seller.lock.title'))
  const pin = useRef<HTMLInputElement>(null)
  useEffect(() => pin.current?.focus(), [])
  const form = useForm<'pin'>({
    onError: (error) => {
      // After the fifth wrong PIN the session has ended, and the login takes over.
      if (error instanceof ApiError && error.status === 401) {
        queryClient.setQueryData(sessions.seller.queryKey, null)
        deviceLocked.set(false)
      }
      if (pin.current) pin.current.value = ''
      return failure(serverText(error, TEXTS), 'pin')
    },
  })
  const unlock = async (read: ReadField) => {
    await securityApi.unlockDevice(latinDigits(read('pin')).trim())
    await queryClient.fetchQuery({ ...sessions.seller, staleTime: 0 })
    deviceLocked.set(false)
    await queryClient.invalidateQueries({ queryKey: ['seller'] })
  }
  return (
    <SignInFrame signedIn>
      <form className="form box" method="post" {...form.bind(unlock)}>
        <h1>{t('seller.lock.title')}</h1>
        <p className="muted">{t('seller.lock.text')}</p>
        <TextField
          ref={pin}
          label={t('seller.device.pin')}
          name="pin"
          type="password"
          required
          autoComplete="off"
          inputMode="numeric"
          maxLength={8}
          error={form.error('pin')}
        />
        <FormProblem problem={form.problem} announced={false} />
        <SubmitButton busy={form.busy} wide>
          {t('seller.lock.unlock')}
        </SubmitButton>
      </form>
    </SignInFrame>
  )
}
