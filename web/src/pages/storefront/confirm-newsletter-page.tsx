import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ApiError } from '@/api/client'
import { confirmSubscription } from '@/features/newsletter/api'
import { useT } from '@/lib/i18n'
import { takeLinkToken } from '@/lib/link-token'
import { paths } from '@/lib/paths'
import { MailIcon } from '@/ui/icons'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'

type State = 'asking' | 'confirmed' | 'refused' | 'broken'

/** The page that the link in the first email opens. */
export function ConfirmNewsletterPage() {
  const t = useT()
  const [token] = useState(takeLinkToken)
  const [state, setState] = useState<State>(token ? 'asking' : 'refused')
  const [attempt, setAttempt] = useState(0)
  usePageTitle(t('newsletterLink.confirmTitle'))

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt asks again
  useEffect(() => {
    if (!token) return
    // Confirming twice does no harm.
    confirmSubscription(token).then(
      () => setState('confirmed'),
      (error) => setState(error instanceof ApiError ? 'refused' : 'broken'),
    )
  }, [token, attempt])

  const title = {
    asking: t('newsletterLink.confirming'),
    confirmed: t('newsletterLink.confirmed'),
    refused: t('newsletterLink.failed'),
    broken: t('newsletterLink.failed'),
  }[state]
  const text = {
    asking: '',
    confirmed: t('newsletterLink.confirmedText'),
    refused: t('newsletterLink.invalid'),
    broken: t('newsletterLink.unreachable'),
  }[state]
  return (
    <div className="wrap page" role="status" aria-busy={state === 'asking'}>
      <StatePanel
        icon={<MailIcon size={36} />}
        heading="h1"
        title={title}
        text={text}
        action={
          state === 'broken' ? (
            <button
              type="button"
              className="button button-primary"
              onClick={() => {
                setState('asking')
                setAttempt(attempt + 1)
              }}
            >
              {t('retry')}
            </button>
          ) : state === 'asking' ? null : (
            <Link className="button button-primary" to={paths.home}>
              {t('shell.notFound.cta')}
            </Link>
          )
        }
      />
    </div>
  )
}
