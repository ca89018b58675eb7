import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { serverText } from '@/api/server-text'
import { alertsApi } from '@/features/alerts/api'
import { messageText, useT } from '@/lib/i18n'
import { takeLinkToken } from '@/lib/link-token'
import { paths } from '@/lib/paths'
import { MailIcon } from '@/ui/icons'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'
import { useBusy } from '@/ui/use-busy'

/** Turns off the emails that a link belongs to. It waits for a press, because mail programs open links too. */
export function UnsubscribePage() {
  const t = useT()
  const [token] = useState(takeLinkToken)
  const [result, setResult] = useState<{ error?: unknown }>()
  const [busy, run] = useBusy()
  usePageTitle(t('unsubscribe.title'))
  const turnOff = () =>
    run(async () => {
      try {
        await alertsApi.turnOffEmails(token ?? '')
        setResult({})
      } catch (error) {
        setResult({ error })
      }
    })
  const done = result !== undefined && !('error' in result)
  return (
    <div className="wrap page" role="status">
      <StatePanel
        icon={<MailIcon size={36} />}
        heading="h1"
        title={t(done ? 'unsubscribe.done' : 'unsubscribe.title')}
        text={
          done
            ? t('unsubscribe.doneText')
            : result
              ? messageText(
                  serverText(result.error, { refused: 'unsubscribe.failed', broken: 'unsubscribe.failed' }),
                )
              : t('unsubscribe.text')
        }
        action={
          done ? (
            <Link className="button button-primary" to={paths.home}>
              {t('shell.notFound.cta')}
            </Link>
          ) : (
            <button
              type="button"
              className="button button-primary"
              aria-busy={busy}
              onClick={() => void turnOff()}
            >
              {t('unsubscribe.button')}
            </button>
          )
        }
      />
    </div>
  )
}
