import type { router as Router } from '@/app/router'

/** On every page change, back and forward included: to the top, and focus on the new heading. */
export function resetScrollAndFocus(router: typeof Router) {
  history.scrollRestoration = 'manual'
  router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
    // Typing in a filter changes the address but not the page.
    if (!fromLocation || fromLocation.pathname === toLocation.pathname) return
    window.scrollTo(0, 0)
    const heading = document.querySelector<HTMLElement>('main h1') ?? document.getElementById('main')
    heading?.setAttribute('tabindex', '-1')
    heading?.focus({ preventScroll: true })
  })
}
