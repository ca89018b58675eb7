import { useState } from 'react'
import { serverText } from '@/api/server-text'
import { type MessageId, useT } from '@/lib/i18n'
import { toStoredPhone } from '@/lib/phone'
import { TextField } from '@/ui/field'
import { FormProblem } from '@/ui/form-problem'
import { SubmitButton } from '@/ui/submit-button'
import { failure, useForm } from '@/ui/use-form'

const TEXTS = { refused: 'auth.generic', broken: 'auth.generic' } as const

type PhoneCodeFormProps = {
  /** What the number is for. */
  text: string
  /** The number in the field at first. */
  phone: string
  /** What the last button says. */
  label: MessageId
  /** Requests a code and returns the secret that is sent back with it. */
  onRequest: (phone: string) => Promise<{ token: string }>
  onCode: (token: string, code: string) => Promise<void>
  /** Returns true if the error was handled elsewhere. */
  onError?: (error: unknown) => boolean
}

/** Two steps: the number, then the code that was sent to it. */
export function PhoneCodeForm({ text, phone, label, onRequest, onCode, onError }: PhoneCodeFormProps) {
  const t = useT()
  const [sent, setSent] = useState<{ phone: string; token: string }>()
  const say = (error: unknown) => (onError?.(error) ? undefined : failure(serverText(error, TEXTS)))
  const request = useForm({ onError: say })
  const check = useForm({ onError: say })
  const ask = async (number: string) => setSent({ phone: number, ...(await onRequest(number)) })
  if (!sent)
    return (
      <form
        key="phone"
        className="form"
        method="post"
        {...request.bind((field) => ask(toStoredPhone(field('phone')) ?? field('phone').trim()))}
      >
        <p>{text}</p>
        <TextField
          label={t('auth.phone')}
          hint={t('phoneCode.phoneHint')}
          name="phone"
          type="tel"
          required
          autoComplete="tel"
          inputMode="tel"
          defaultValue={phone}
        />
        <FormProblem problem={request.problem} announced={false} />
        <SubmitButton busy={request.busy} wide>
          {t('phoneCode.send')}
        </SubmitButton>
      </form>
    )
  return (
    <form
      key="code"
      className="form"
      method="post"
      {...check.bind((field) => onCode(sent.token, field('code').trim()))}
    >
      <p role="status">{t('phoneCode.sent', { phone: sent.phone })}</p>
      <TextField
        label={t('phoneCode.code')}
        hint={t('phoneCode.codeHint')}
        name="code"
        required
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={10}
        autoFocus
      />
      <FormProblem problem={check.problem} announced={false} />
      <SubmitButton busy={check.busy} wide>
        {t(label)}
      </SubmitButton>
      <button
        type="button"
        className="link"
        aria-busy={request.busy}
        onClick={() => request.send(() => ask(sent.phone))}
      >
        {t('phoneCode.again')}
      </button>
      <FormProblem problem={request.problem} announced={false} />
      <button type="button" className="link" onClick={() => setSent(undefined)}>
        {t('phoneCode.otherNumber')}
      </button>
    </form>
  )
}
