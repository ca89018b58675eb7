import { type ReactNode, useEffect, useState } from 'react'
import { type MessageId, useT } from '@/lib/i18n'
import { AlertIcon } from '@/ui/icons'

const SLOW_AFTER_MS = 8000

type Loadable<T> = {
  data: T | undefined
  /** Counts final failures. A retry without data counts as loading again, but must not remove the panel. */
  errorUpdateCount: number
  isFetching: boolean
  refetch: () => unknown
}

type LoadStateProps<T> = {
  query: Loadable<T>
  /** The message in the failed region; the toast shows the failure too, but disappears. */
  problem: MessageId
  skeleton: ReactNode
  /** Makes the message the page's heading when nothing else is on the page. */
  as?: 'h1'
  children: (data: T) => ReactNode
}

/** Switches between loading, failed and loaded, so that no page does it by itself. */
export function LoadState<T>({ query, problem, skeleton, as, children }: LoadStateProps<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.errorUpdateCount > 0)
    return <Problem text={problem} as={as} busy={query.isFetching} onRetry={query.refetch} />
  return (
    <div aria-busy="true">
      {skeleton}
      <SlowConnection />
    </div>
  )
}

type ProblemProps = { text: MessageId; as: 'h1' | 'p' | undefined; busy: boolean; onRetry: () => unknown }

function Problem({ text, as: Text = 'p', busy, onRetry }: ProblemProps) {
  const t = useT()
  return (
    <div className="problem">
      <AlertIcon size={24} />
      <Text>{t(text)}</Text>
      {/* Stays in place and enabled during the retry, so that the focus is not lost. */}
      <button type="button" className="button button-outline" aria-busy={busy} onClick={() => onRetry()}>
        {t('retry')}
      </button>
    </div>
  )
}

/** Shown when loading takes long: there is no timeout, so the page must say that it is still trying. */
function SlowConnection() {
  const t = useT()
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p className="slow-connection" role="status">
      {slow ? t('shell.slow') : ''}
    </p>
  )
}
