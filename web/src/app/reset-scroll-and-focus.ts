import type { router as Router } from '@/app/router'

/** Scrolls to the top and focuses the new heading on every page change, including back and forward. */
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
