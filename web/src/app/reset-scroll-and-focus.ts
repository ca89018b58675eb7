import type { router as Router } from '@/app/router'

/** Lists, on which who comes back from a product or an order goes on where they left. */
const LISTS = /^\/(products|category\/[^/]+|favourites|seller(\/orders)?)?\/?$/

/**
 * Scrolls to the top and focuses the new heading on every page change. Going back or forward to a list returns to its
 * place instead (decision 091).
 */
export function resetScrollAndFocus(router: typeof Router) {
  history.scrollRestoration = 'manual'
  const places: Record<string, number> = {}
  let returning = false
  router.history.subscribe(({ action }) => {
    returning = !/PUSH|REPLACE/.test(action.type)
  })
  router.subscribe('onBeforeNavigate', ({ fromLocation }) => {
    if (fromLocation) places[fromLocation.href] = window.scrollY
  })
  router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
    // Typing in a filter changes the address but not the page.
    if (!fromLocation || fromLocation.pathname === toLocation.pathname) return
    const isList = LISTS.test(toLocation.pathname)
    window.scrollTo(0, (returning && isList && places[toLocation.href]) || 0)
    const heading = document.querySelector<HTMLElement>('main h1') ?? document.getElementById('main')
    heading?.setAttribute('tabindex', '-1')
    heading?.focus({ preventScroll: true })
  })
}
