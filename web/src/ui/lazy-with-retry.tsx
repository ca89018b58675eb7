import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { useT } from '@/lib/i18n'
import { reloadKeepingInput } from '@/lib/restore-input'
import { retryLoad } from '@/lib/retry-load'

/**
 * A component that is loaded when it is first rendered. Unlike React's own `lazy`, a failed load does not crash the
 * page and can be retried.
 */
export function lazyWithRetry<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: ReactNode = null,
) {
  let loaded: ComponentType<P> | undefined
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part, at module level
  return function LazyComponent(props: P) {
    const t = useT()
    const [attempt, setAttempt] = useState(1)
    const [state, setState] = useState(0)
    useEffect(() => {
      if (loaded) return
      retryLoad(load).then(
        (component) => {
          loaded = component
          setState(attempt)
        },
        () => setState(-attempt),
      )
    }, [attempt])
    const Loaded = loaded
    if (Loaded) return <Loaded {...props} />
    if (state !== -attempt) return waiting
    // Two failures while online mean that the shop has a new version and the server no longer has this page's files.
    const outdated = attempt > 1 && navigator.onLine
    return (
      <button
        type="button"
        className="button button-outline"
        onClick={() => (outdated ? reloadKeepingInput() : setAttempt(attempt + 1))}
      >
        {t(outdated ? 'shell.reload' : 'retry')}
      </button>
    )
  }
}
