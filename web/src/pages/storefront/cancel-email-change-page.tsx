import { useState } from 'react'
import { serverText } from '@/api/server-text'
import { accountsApi } from '@/features/accounts/api'
import { clearAfterSignOut } from '@/features/accounts/sign-in-out'
import { type MessageId, messageText, type RawText, useT } from '@/lib/i18n'
import { takeLinkToken } from '@/lib/link-token'
import { MailIcon } from '@/ui/icons'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'
import { useBusy } from '@/ui/use-busy'

/** The page for 'This was not me'. It asks for confirmation, because some mail programs open every link. */
export function CancelEmailChangePage() {
  const t = useT()
  usePageTitle(t('cancelEmail.title'))
  const [token] = useState(takeLinkToken)
  const [email, setEmail] = useState<string>()
  const [problem, setProblem] = useState<MessageId | RawText | null>(token ? null : 'resetPassword.invalid')
  const [busy, run] = useBusy()
  const cancel = () =>
    run(async () => {
      try {
        const done = await accountsApi.cancelEmailChange(token)
        // Every session has ended, including this browser's.
        clearAfterSignOut()
        setEmail(done.email)
      } catch (error) {
        setProblem(serverText(error, { refused: 'auth.generic', broken: 'auth.generic' }))
      }
    })
  const title = email ? 'cancelEmail.done' : problem ? 'cancelEmail.failed' : 'cancelEmail.title'
  const text = email
    ? t('cancelEmail.doneText', { email })
    : problem
      ? messageText(problem)
      : t('cancelEmail.text')
  return (
    <div className="wrap page" role="status" aria-busy={busy} data-verbatim={email}>
      <StatePanel
        icon={<MailIcon size={36} />}
        heading="h1"
        title={t(title)}
        text={text}
        action={
          email || !token ? null : (
            <button
              type="button"
              className="button button-primary"
              aria-busy={busy}
              onClick={() => void cancel()}
            >
              {t(problem ? 'retry' : 'cancelEmail.go')}
            </button>
          )
        }
      />
    </div>
  )
}
