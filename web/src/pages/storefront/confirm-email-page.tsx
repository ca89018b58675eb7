import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ApiError } from '@/api/client'
import { serverText } from '@/api/server-text'
import { accountsApi } from '@/features/accounts/api'
import { hasSessionHint, refetchUser } from '@/features/accounts/session'
import { messageText, useT } from '@/lib/i18n'
import { takeLinkToken } from '@/lib/link-token'
import { paths } from '@/lib/paths'
import { MailIcon } from '@/ui/icons'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'

type State =
  | { is: 'asking' }
  | { is: 'confirmed'; email: string }
  | { is: 'refused' | 'broken'; error: unknown }

/** One request per token, however often React renders the page. */
const requests = new Map<string, Promise<{ email: string }>>()

function confirm(token: string): Promise<{ email: string }> {
  const running = requests.get(token) ?? accountsApi.confirmEmail(token)
  requests.set(token, running)
  return running
}

export function ConfirmEmailPage() {
  const t = useT()
  const [token] = useState(takeLinkToken)
  const [state, setState] = useState<State>({ is: 'asking' })
  const [attempt, setAttempt] = useState(0)
  usePageTitle(t('confirmEmail.title'))

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt asks again
  useEffect(() => {
    if (!token)
      return setState({ is: 'refused', error: new ApiError('link_invalid', 422, t('resetPassword.invalid')) })
    confirm(token).then(
      ({ email }) => {
        setState({ is: 'confirmed', email })
        if (hasSessionHint('user')) void refetchUser()
      },
      (error) => {
        requests.delete(token)
        setState({ is: error instanceof ApiError ? 'refused' : 'broken', error })
      },
    )
    return undefined
  }, [token, attempt])

  const title = {
    asking: t('confirmEmail.confirming'),
    confirmed: t('confirmEmail.done'),
    refused: t('confirmEmail.failed'),
    broken: t('confirmEmail.failed'),
  }[state.is]
  const text =
    state.is === 'confirmed'
      ? state.email
      : state.is === 'asking'
        ? ''
        : messageText(serverText(state.error, { refused: 'auth.generic', broken: 'auth.generic' }))

  return (
    <div
      className="wrap page"
      role="status"
      aria-busy={state.is === 'asking'}
      data-verbatim={state.is === 'confirmed' ? state.email : undefined}
    >
      <StatePanel
        icon={<MailIcon size={36} />}
        heading="h1"
        title={title}
        text={text}
        action={
          state.is === 'broken' ? (
            <button type="button" className="button button-primary" onClick={() => setAttempt(attempt + 1)}>
              {t('retry')}
            </button>
          ) : state.is === 'asking' ? null : (
            <Link className="button button-primary" to={hasSessionHint('user') ? paths.profile : paths.home}>
              {t(hasSessionHint('user') ? 'confirmEmail.toProfile' : 'shell.notFound.cta')}
            </Link>
          )
        }
      />
    </div>
  )
}
