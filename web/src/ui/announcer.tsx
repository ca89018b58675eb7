import { useSyncExternalStore } from 'react'

let said = ''
const listeners = new Set<() => void>()

/** Says a sentence to screen readers, politely. */
export function announce(text: string) {
  said = text
  for (const listener of listeners) listener()
}

export function Announcer() {
  const text = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => said,
  )
  return (
    <div className="sr-only" role="status" aria-live="polite">
      {text}
    </div>
  )
}
