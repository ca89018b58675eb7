import '@/styles/forms.css'
import type { ReactNode } from 'react'
import { useT } from '@/lib/i18n'
import { useOnline } from '@/lib/use-online'

type SubmitButtonProps = {
  busy: boolean
  variant?: 'primary' | 'danger'
  wide?: boolean
  children: ReactNode
}

/** Submits the form. It keeps its label beside a spinner, so that nothing moves; it is disabled while offline. */
export function SubmitButton({ busy, variant = 'primary', wide = false, children }: SubmitButtonProps) {
  const t = useT()
  const online = useOnline()
  return (
    <>
      <button
        type="submit"
        className={`button button-${variant}${wide ? ' button-wide' : ''}`}
        disabled={busy || !online}
        aria-busy={busy}
      >
        {busy ? <span className="spinner" /> : null}
        {children}
      </button>
      {online ? null : <p className="field-hint">{t('form.offline')}</p>}
    </>
  )
}
