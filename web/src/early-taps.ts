/**
 * Runs before the first paint (`build/early-script.ts` puts it into the head), because the server's first view shows buttons
 * that nothing answers until React has taken over. A press on one of them is remembered and shown; `app/replace-first-view.ts` replays it.
 */

declare global {
  interface Window {
    /** Buttons of the first view in the order of the presses; removed as soon as React handles presses itself. */
    earlyTaps?: HTMLButtonElement[] | undefined
  }
}

// The first view is the same for every visitor and offers Login. A signed-in shopper sees a blank there until the app
// knows their name.
if (/(?:^|; )(?:__Host-)?session=shopper/.test(document.cookie))
  document.documentElement.dataset.session = 'shopper'

// The chosen colours must be there before the first paint; without a choice the style sheet follows the device
// (ui/theme-switch.tsx).
try {
  const theme = localStorage.getItem('theme')
  if (theme) document.documentElement.dataset.theme = theme
} catch {
  // Private windows may refuse storage.
}

window.earlyTaps = []

function remember(button: HTMLButtonElement) {
  button.setAttribute('aria-busy', 'true')
  window.earlyTaps?.push(button)
}

addEventListener(
  'click',
  ({ target }) => {
    const taps = window.earlyTaps
    if (!taps) return
    const button = (target as Element).closest?.<HTMLButtonElement>('#root button:not([type="submit"])')
    if (!button || button.getAttribute('aria-disabled') === 'true') return
    // A second press on the same button means the same; only a quantity is pressed several times on purpose.
    if (button.getAttribute('aria-busy') && !button.closest('.stepper')) return
    remember(button)
  },
  true,
)

// The browser would leave the page with a form that only React can send, unless React has handled it already. A search is an
// address, and may go.
addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement
  if (!window.earlyTaps || event.defaultPrevented || form.method !== 'post') return
  event.preventDefault()
  const button = form.querySelector<HTMLButtonElement>('[type="submit"]')
  if (button && !button.getAttribute('aria-busy')) remember(button)
})

/** How often each style sheet has been requested again, by its address. */
const retries = new Map<string, number>()

// Resource errors do not bubble, but they can be caught in the capture phase.
addEventListener(
  'error',
  ({ target }) => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return
    const times = (retries.get(target.href) ?? 0) + 1
    retries.set(target.href, times)
    if (times > 2) {
      dispatchEvent(new Event('style-failed'))
      return
    }
    setTimeout(() => target.replaceWith(target.cloneNode()), times * 1000)
  },
  true,
)

export {}
