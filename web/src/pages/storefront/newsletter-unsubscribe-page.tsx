import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '@/api/client'
import { unsubscribe } from '@/features/newsletter/api'
import { type MessageId, useT } from '@/lib/i18n'
import { takeLinkToken } from '@/lib/link-token'
import { paths } from '@/lib/paths'
import { MailIcon } from '@/ui/icons'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'
import { useBusy } from '@/ui/use-busy'

/**
 * The page that the link in a newsletter opens. It asks before it unsubscribes, because programs that check the links of
 * an email open them too.
 */
export function NewsletterUnsubscribePage() {
  const t = useT()
  const [token] = useState(takeLinkToken)
  const [done, setDone] = useState(false)
  const [problem, setProblem] = useState<MessageId | null>(token ? null : 'newsletterLink.invalid')
  const [busy, run] = useBusy()
  usePageTitle(t('newsletterLink.unsubscribeTitle'))
  const leave = () =>
    run(async () => {
      try {
        await unsubscribe(token)
        setDone(true)
      } catch (error) {
        setProblem(error instanceof ApiError ? 'newsletterLink.invalid' : 'newsletterLink.unreachable')
      }
    })
  return (
    <div className="wrap page" role="status">
      <StatePanel
        icon={<MailIcon size={36} />}
        heading="h1"
        title={t(done ? 'newsletterLink.unsubscribed' : 'newsletterLink.unsubscribeTitle')}
        text={t(problem ?? (done ? 'newsletterLink.unsubscribedText' : 'newsletterLink.unsubscribeText'))}
        action={
          done || !token ? (
            <Link className="button button-primary" to={paths.home}>
              {t('shell.notFound.cta')}
            </Link>
          ) : (
            <button
              type="button"
              className="button button-primary"
              disabled={busy}
              onClick={() => void leave()}
            >
              {busy ? <span className="spinner" /> : null}
              {t('newsletterLink.unsubscribe')}
            </button>
          )
        }
      />
    </div>
  )
}
