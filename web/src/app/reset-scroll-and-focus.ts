import type { router as Router } from '@/app/router'

/** Lists, on which a shopper who comes back from a product goes on where they left. */
const LISTS = /^\/(products|category\/[^/]+|favourites)?\/?$/

/**
 * Scrolls to the top and focuses the new heading on every page change. Going back or forward to a list returns to its
 * place instead (decision 091).
 */
export function resetScrollAndFocus(router: typeof Router) {
  history.scrollRestoration = 'manual'
  const places = new Map<string, number>()
  let returning = false
  router.history.subscribe(({ action }) => {
    returning = action.type === 'BACK' || action.type === 'FORWARD' || action.type === 'GO'
  })
  router.subscribe('onBeforeNavigate', ({ fromLocation }) => {
    if (fromLocation) places.set(keyOf(fromLocation), window.scrollY)
  })
  router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
    // Typing in a filter changes the address but not the page.
    if (!fromLocation || fromLocation.pathname === toLocation.pathname) return
    const isList = LISTS.test(toLocation.pathname)
    window.scrollTo(0, (returning && isList && places.get(keyOf(toLocation))) || 0)
    const heading = document.querySelector<HTMLElement>('main h1') ?? document.getElementById('main')
    heading?.setAttribute('tabindex', '-1')
    heading?.focus({ preventScroll: true })
  })
}

/** The entry of the history, which two visits of one page do not share. */
const keyOf = ({ href, state }: { href: string; state: { __TSR_index?: number } }) =>
  `${state.__TSR_index} ${href}`
