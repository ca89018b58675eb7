import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { useT } from '@/lib/i18n'
import { reloadKeepingInput } from '@/lib/restore-input'
import { retryLoad } from '@/lib/retry-load'

/**
 * A piece of a page that is fetched when it is first drawn. Unlike React's own `lazy`, a fetch that fails on a bad line
 * does not take the page down and can be tried again.
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
    // Twice in vain with a network: the shop has a new version, and the server has thrown this page's parts away.
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
