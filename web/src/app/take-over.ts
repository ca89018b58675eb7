/** The fields of the server's first view that can be filled before React is there, and where React draws them again. */
const FIELDS = ['#site-search', '.newsletter-form input[name="email"]']

/**
 * Carries over what somebody typed into the first view, and the focus: React replaces the view, it does not grow into it.
 * Call before React draws; call the result when it has drawn.
 */
export function watchFirstView(root: HTMLElement): () => void {
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
      if (old.value !== old.defaultValue) type(now, old.value)
      if (focused === old) now.focus({ preventScroll: true })
    })
  }
}

/** As if it had been typed: React takes a value from an event, not from the field. */
function type(field: HTMLInputElement, text: string) {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
