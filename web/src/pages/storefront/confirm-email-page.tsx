import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Refusal } from '@/api/client'
import { serverText } from '@/api/server-text'
import { accountsApi } from '@/features/accounts/api'
import { askAgain, hinted } from '@/features/accounts/session'
import { takeToken } from '@/lib/fragment'
import { say, useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'

type State =
  | { is: 'asking' }
  | { is: 'confirmed'; email: string }
  | { is: 'refused' | 'broken'; error: unknown }

/** One question for one token, however often React draws the page. */
const asked = new Map<string, Promise<{ email: string }>>()

function confirm(token: string): Promise<{ email: string }> {
  const running = asked.get(token) ?? accountsApi.confirmEmail(token)
  asked.set(token, running)
  return running
}

export function ConfirmEmailPage() {
  const t = useT()
  const [token] = useState(takeToken)
  const [state, setState] = useState<State>({ is: 'asking' })
  const [attempt, setAttempt] = useState(0)
  usePageTitle(t('confirmEmail.title'))

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt asks again
  useEffect(() => {
    if (!token)
      return setState({ is: 'refused', error: new Refusal('link_invalid', 422, t('resetPassword.invalid')) })
    confirm(token).then(
      ({ email }) => {
        setState({ is: 'confirmed', email })
        if (hinted('user')) void askAgain()
      },
      (error) => {
        asked.delete(token)
        setState({ is: error instanceof Refusal ? 'refused' : 'broken', error })
      },
    )
    return undefined
  }, [token, attempt])

  const title = {
    asking: t('confirmEmail.asking'),
    confirmed: t('confirmEmail.done'),
    refused: t('confirmEmail.failed'),
    broken: t('confirmEmail.failed'),
  }[state.is]
  const text =
    state.is === 'confirmed'
      ? state.email
      : state.is === 'asking'
        ? ''
        : say(serverText(state.error, { refused: 'auth.generic', broken: 'auth.generic' }))

  return (
    <div
      className="wrap page"
      role="status"
      aria-busy={state.is === 'asking'}
      data-verbatim={state.is === 'confirmed' ? state.email : undefined}
    >
      <StatePanel
        heading="h1"
        title={title}
        text={text}
        action={
          state.is === 'broken' ? (
            <button type="button" className="button button-primary" onClick={() => setAttempt(attempt + 1)}>
              {t('retry')}
            </button>
          ) : state.is === 'asking' ? null : (
            <Link className="button button-primary" to={hinted('user') ? paths.profile : paths.home}>
              {t(hinted('user') ? 'confirmEmail.toProfile' : 'shell.notFound.cta')}
            </Link>
          )
        }
      />
    </div>
  )
}
