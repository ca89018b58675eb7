import { type ReactNode, useEffect, useState } from 'react'
import { type MessageId, useT } from '@/lib/i18n'
import { AlertIcon } from '@/ui/icons'

const SLOW_AFTER_MS = 8000

type Loadable<T> = {
  data: T | undefined
  /** How often it has failed in earnest. A retry without data counts as loading again, but must not take the panel away. */
  errorUpdateCount: number
  isFetching: boolean
  refetch: () => unknown
}

type LoadStateProps<T> = {
  query: Loadable<T>
  /** What to say in the failed region itself; the toast names the failure too, but toasts go away. */
  problem: MessageId
  skeleton: ReactNode
  /** Where nothing else stands on the page, what failed is its heading. */
  as?: 'h1'
  children: (data: T) => ReactNode
}

/** The one ladder from loading over failing to shown, so that no page writes its own. */
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
      {/* Stays in place and enabled while the retry runs, so that focus is not thrown away. */}
      <button type="button" className="button button-outline" aria-busy={busy} onClick={() => onRetry()}>
        {t('retry')}
      </button>
    </div>
  )
}

/** Appears once waiting gets long: we set no time limit, so we must at least say that we are still trying. */
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
