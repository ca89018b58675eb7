import { setFieldValue } from '@/lib/restore-input'

/** The fields of the server's first view that can be filled before React is there, and where React draws them again. */
const FIELDS = ['#site-search', '.newsletter-form input[name="email"]']

/**
 * Carries over what somebody typed into the first view, and the focus: React replaces the view, it does not grow into it.
 * Call before React draws; call the result when it has drawn.
 */
export function preserveFirstViewInput(root: HTMLElement): () => void {
  const fields = FIELDS.map((field) => root.querySelector<HTMLInputElement>(field))
  let focused = document.activeElement
  const onFocus = ({ target }: FocusEvent) => {
    focused = target as Element
  }
  const onBlur = ({ target }: FocusEvent) => {
    // Some browsers report a blur when React takes the field away; that one is not the person's doing.
    queueMicrotask(() => {
      if ((target as Element).isConnected && focused === target) focused = null
    })
  }
  root.addEventListener('focusin', onFocus)
  root.addEventListener('focusout', onBlur)
  return () => {
    root.removeEventListener('focusin', onFocus)
    root.removeEventListener('focusout', onBlur)
    fields.forEach((old, index) => {
      const now = root.querySelector<HTMLInputElement>(FIELDS[index] ?? '')
      if (!old || !now || old === now) return
      if (old.value !== old.defaultValue) setFieldValue(now, old.value)
      if (focused === old) now.focus({ preventScroll: true })
    })
    void replayTaps(root)
  }
}

/** Presses again what was pressed in the first view while nothing could answer (`early-taps.ts`), in the same order. */
async function replayTaps(root: HTMLElement) {
  const taps = window.earlyTaps ?? []
  window.earlyTaps = undefined
  for (const tapped of taps) {
    counterpartOf(tapped, root)?.click()
    // React draws what a press changed before the next one looks for its button.
    await new Promise((resolve) => setTimeout(resolve))
  }
}

/** The button that React has drawn in the place of this one: of the same product, and of the same kind. */
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
  // What is in the cart already has − quantity + in the place of 'Add to Cart'.
  return counterpart ?? (kind === '.add' ? within?.querySelector('.stepper button:last-child') : null)
}

const productPath = (article: Element | null | undefined) => article?.querySelector('a')?.getAttribute('href')
