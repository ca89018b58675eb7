const KEY = 'typed-fields'
/** How long the fields of a reloaded page may take to appear. */
const WAIT_MS = 10_000

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
type SavedInput = { path: string; fields: [key: string, value: string][] }

/** The fields by name and position. Passwords are never stored, and a chosen file cannot be. */
function formFields(root: ParentNode): Map<string, Field> {
  const found = new Map<string, Field>()
  const seen = new Map<string, number>()
  const all = root.querySelectorAll<Field>(
    'textarea, select, input:not([type="password"], [type="file"], [type="hidden"], [type="checkbox"], [type="radio"])',
  )
  for (const field of all) {
    const name = field.name || field.getAttribute('aria-label') || field.labels?.[0]?.textContent || ''
    const place = seen.get(name) ?? 0
    seen.set(name, place + 1)
    found.set(`${name} ${place}`, field)
  }
  return found
}

/** Reloads the page and restores what was typed on it. */
export function reloadKeepingInput() {
  const fields = [...formFields(document)].map(([key, { value }]): SavedInput['fields'][number] => [
    key,
    value,
  ])
  const typed: SavedInput = { path: location.pathname, fields: fields.filter(([, value]) => value !== '') }
  try {
    sessionStorage.setItem(KEY, JSON.stringify(typed))
  } catch {
    // Without storage a reload is still better than a page with missing parts.
  }
  location.reload()
}

/** Call it once when the page has been drawn. Fields may appear later, with the data of their form. */
export function restoreInput() {
  let typed: SavedInput | null = null
  try {
    typed = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    sessionStorage.removeItem(KEY)
  } catch {
    return
  }
  if (typed?.path !== location.pathname) return
  const left = new Map(typed.fields)
  const fill = () => {
    for (const [key, field] of formFields(document)) {
      const value = left.get(key)
      if (value === undefined) continue
      left.delete(key)
      if (field.value !== value) setFieldValue(field, value)
    }
    if (left.size === 0) observer.disconnect()
  }
  const observer = new MutationObserver(fill)
  observer.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), WAIT_MS)
  fill()
}

/** Sets the value with an event, because React does not read it from the field. */
export function setFieldValue(field: Field, text: string) {
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value') ?? {}
  set?.call(field, text)
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
}
