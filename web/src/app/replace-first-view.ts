import { setFieldValue } from '@/lib/restore-input'

/** The fields of the first view that can be filled before React has loaded; React draws them with the same ids. */
const FIELDS = '#site-search, #newsletter-email'

/**
 * Preserves the focus and the text that the visitor typed into the first view, because React replaces it instead of
 * hydrating it. Call it before React draws, and call the returned function afterwards.
 */
export function preserveFirstViewInput(root: HTMLElement): () => void {
  const before = root.querySelectorAll<HTMLInputElement>(FIELDS)
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
    for (const old of before) {
      const now = root.querySelector<HTMLInputElement>(`#${old.id}`)
      if (!now || old === now) continue
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
    // React first draws what changed before: the text of a field, or what the last press did.
    await new Promise((resolve) => setTimeout(resolve))
    counterpartOf(tapped, root)?.click()
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
