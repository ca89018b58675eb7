import '@/styles/forms.css'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { useT } from '@/lib/i18n'
import { EyeIcon, EyeOffIcon } from '@/ui/icons-forms'

type FieldProps = {
  label: string
  hint?: string | undefined
  /** Shown under the label, so that it is read before the field and not hidden by a phone's keyboard. */
  error?: string | undefined
  /** Shown as text beside the label; most forms mark the optional fields. */
  mark?: 'required' | 'optional'
}

type ControlProps = {
  id: string
  'aria-invalid': boolean | undefined
  'aria-describedby': string | undefined
}

/** A label above a control, with its hint and error linked to it. */
export function Field({
  id: given,
  label,
  hint,
  error,
  mark,
  alert = false,
  children,
}: FieldProps & {
  id?: string | undefined
  /** Announces the error at once: a file may be rejected before anything is sent. */
  alert?: boolean
  children: (wiring: ControlProps) => ReactNode
}) {
  const t = useT()
  const own = useId()
  const id = given ?? own
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {mark ? (
          <span className="field-mark"> ({t(mark === 'required' ? 'form.required' : 'form.optional')})</span>
        ) : null}
      </label>
      {hint ? (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      ) : null}
      {error ? (
        <p id={`${id}-error`} className="field-error" role={alert ? 'alert' : undefined}>
          {error}
        </p>
      ) : null}
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described || undefined,
      })}
    </div>
  )
}

export function TextField({ label, hint, error, mark, id, ...input }: FieldProps & ComponentProps<'input'>) {
  return (
    <Field id={id} label={label} hint={hint} error={error} {...(mark ? { mark } : {})}>
      {(wiring) => <input className="input" {...input} {...wiring} />}
    </Field>
  )
}

export function SelectField({
  label,
  hint,
  error,
  mark,
  id,
  ...select
}: FieldProps & ComponentProps<'select'>) {
  return (
    <Field id={id} label={label} hint={hint} error={error} {...(mark ? { mark } : {})}>
      {(wiring) => <select className="input" {...select} {...wiring} />}
    </Field>
  )
}

/** A text of several lines. */
export function LongField({
  label,
  hint,
  error,
  mark,
  id,
  ...area
}: FieldProps & ComponentProps<'textarea'>) {
  return (
    <Field id={id} label={label} hint={hint} error={error} {...(mark ? { mark } : {})}>
      {(wiring) => <textarea className="input" {...area} {...wiring} />}
    </Field>
  )
}

/** A password field with a button that shows the password. */
export function PasswordField({
  label,
  hint,
  error,
  mark,
  id,
  ...input
}: FieldProps & Omit<ComponentProps<'input'>, 'type'>) {
  const t = useT()
  const [visible, setVisible] = useState(false)
  return (
    <Field id={id} label={label} hint={hint} error={error} {...(mark ? { mark } : {})}>
      {(wiring) => (
        <div className="password">
          <input
            className="input"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            {...input}
            {...wiring}
            type={visible ? 'text' : 'password'}
          />
          <button
            type="button"
            className="password-eye"
            aria-label={t(visible ? 'form.hidePassword' : 'form.showPassword')}
            onClick={() => setVisible(!visible)}
          >
            {visible ? <EyeOffIcon /> : <EyeIcon />}
          </button>
        </div>
      )}
    </Field>
  )
}
