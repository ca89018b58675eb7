import { setFieldValue } from '@/lib/restore-input'

/** The field of the first view that can be filled before React has loaded; React draws it with the same selector. */
const FIELD = '#site-search'

/**
 * Preserves the focus and the text that the visitor typed into the first view, because React replaces it instead of
 * hydrating it. Call it before React draws, and call the returned function afterwards.
 */
export function preserveFirstViewInput(root: HTMLElement): () => void {
  const old = root.querySelector<HTMLInputElement>(FIELD)
  let focused = document.activeElement
  const onFocus = ({ target }: FocusEvent) => {
    focused = target as Element
  }
  const onBlur = ({ target }: FocusEvent) => {
    // Some browsers report a blur when React removes the field; the visitor did not cause that one.
    queueMicrotask(() => {
      if ((target as Element).isConnected && focused === target) focused = null
    })
  }
  root.addEventListener('focusin', onFocus)
  root.addEventListener('focusout', onBlur)
  return () => {
    root.removeEventListener('focusin', onFocus)
    root.removeEventListener('focusout', onBlur)
    const now = root.querySelector<HTMLInputElement>(FIELD)
    if (old && now && old !== now) {
      if (old.value !== old.defaultValue) setFieldValue(now, old.value)
      if (focused === old) now.focus({ preventScroll: true })
    }
    void replayTaps(root)
  }
}

/** Replays the presses on buttons of the first view that nothing handled yet (`early-taps.ts`), in the same order. */
async function replayTaps(root: HTMLElement) {
  const taps = window.earlyTaps ?? []
  window.earlyTaps = undefined
  for (const tapped of taps) {
    counterpartOf(tapped, root)?.click()
    // React draws the change of one press before the next press searches for its button.
    await new Promise((resolve) => setTimeout(resolve))
  }
}

/** Finds the button that React has drawn in place of this one: same product, same kind. */
function counterpartOf(tapped: HTMLButtonElement, root: HTMLElement): HTMLButtonElement | null | undefined {
  const path = productPath(tapped.closest('article'))
  const within = path
    ? [...root.querySelectorAll('article')].find((article) => productPath(article) === path)
    : root
  const kind = [...tapped.classList].map((name) => `.${name}`).join('')
  const label = CSS.escape(tapped.getAttribute('aria-label') ?? '')
  const counterpart = within?.querySelector<HTMLButtonElement>(
    kind ? `button${kind}` : `button[aria-label="${label}"]`,
  )
  // A product that is already in the cart has a stepper instead of 'Add to Cart'.
  return counterpart ?? (kind === '.add' ? within?.querySelector('.stepper button:last-child') : null)
}

const productPath = (article: Element | null | undefined) => article?.querySelector('a')?.getAttribute('href')
