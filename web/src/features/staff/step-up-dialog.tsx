import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { ApiError } from '@/api/client'
import { serverText } from '@/api/server-text'
import { sessions } from '@/features/accounts/session'
import { securityApi } from '@/features/staff/security-api'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { stepUp } from '@/features/staff/session-guard'
import { useT } from '@/lib/i18n'
import { latinDigits } from '@/lib/latin-digits'
import { paths } from '@/lib/paths'
import { Dialog } from '@/ui/dialog'
import { TextField } from '@/ui/field'
import { SubmitButton } from '@/ui/submit-button'
import { failure, type ReadField, useForm } from '@/ui/use-form'

const TEXTS = { refused: 'auth.generic', broken: 'auth.generic' } as const

/** Asks for a code before a sensitive call, which is repeated when the code is right. */
export function StepUpDialog() {
  const t = useT()
  const { data: seller } = useQuery({ ...sessions.seller, enabled: false })
  const code = useRef<HTMLInputElement>(null)
  useEffect(() => code.current?.focus(), [])
  const close = (proved: boolean) => stepUp.read()?.(proved)
  const form = useForm<'code'>({
    onError: (error) => {
      if (!(error instanceof ApiError && error.code === 'wrong_code') && handleSellerSessionEnded(error)) {
        close(false)
        return undefined
      }
      code.current?.select()
      return failure(serverText(error, TEXTS), 'code')
    },
  })
  const confirm = async (read: ReadField) => {
    await securityApi.confirmSecondFactor(latinDigits(read('code')).trim())
    close(true)
  }
  if (seller?.secondFactor === false) {
    return (
      <Dialog id="step-up" variant="card" title={t('seller.stepUp.title')} onClose={() => close(false)}>
        <p>{t('seller.stepUp.setUpFirst')}</p>
        <div className="button-row">
          <button type="button" className="button button-outline" onClick={() => close(false)}>
            {t('profile.cancel')}
          </button>
          <Link className="button button-primary" to={paths.sellerSecurity} onClick={() => close(false)}>
            {t('seller.stepUp.setUp')}
          </Link>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog id="step-up" variant="card" title={t('seller.stepUp.title')} onClose={() => close(false)}>
      <form className="form" method="post" {...form.bind(confirm)}>
        <p>{t('seller.stepUp.text')}</p>
        <TextField
          ref={code}
          label={t('seller.login.code')}
          hint={t('seller.stepUp.hint')}
          name="code"
          required
          autoComplete="one-time-code"
          maxLength={29}
          error={form.error('code')}
        />
        <div className="button-row">
          <button
            type="button"
            className="button button-outline"
            disabled={form.busy}
            onClick={() => close(false)}
          >
            {t('profile.cancel')}
          </button>
          <SubmitButton busy={form.busy}>{t('seller.stepUp.confirm')}</SubmitButton>
        </div>
      </form>
    </Dialog>
  )
}
