import { useState } from 'react'
import { useT } from '@/lib/i18n'
import { Dialog } from '@/ui/dialog'

/** Accounts do not exist yet, and the button says so rather than pretending. */
export function LoginButton() {
  const t = useT()
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="login-button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('nav.login')}
      </button>
      {open ? (
        <Dialog id="login" look="card" title={t('account.soon.title')} onClose={() => setOpen(false)}>
          <p>{t('account.soon.text')}</p>
          <button type="button" className="button button-primary" onClick={() => setOpen(false)}>
            {t('account.soon.ok')}
          </button>
        </Dialog>
      ) : null}
    </>
  )
}
