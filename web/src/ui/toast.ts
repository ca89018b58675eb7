import { useSyncExternalStore } from 'react'
import type { MessageId } from '@/lib/i18n'

export type Toast = {
  id: number
  kind: 'success' | 'error'
  text: MessageId
  lasts: number
  /** Goes up when the same text is raised again, which restarts its clock instead of stacking a copy. */
  raised: number
}

const MOST_AT_ONCE = 3
const LASTS = { success: 4000, error: 8000 } satisfies Record<Toast['kind'], number>

let shown: readonly Toast[] = []
let nextId = 1
const listeners = new Set<() => void>()

function show(next: readonly Toast[]) {
  shown = next
  for (const listener of listeners) listener()
}

function raise(kind: Toast['kind'], text: MessageId, lasts: number) {
  const same = shown.find((each) => each.text === text && each.kind === kind)
  if (same) {
    show(shown.map((each) => (each === same ? { ...each, lasts, raised: each.raised + 1 } : each)))
    return
  }
  show([...shown, { id: nextId++, kind, text, lasts, raised: 0 }].slice(-MOST_AT_ONCE))
}

export const toast = {
  success: (text: MessageId, lasts = LASTS.success) => raise('success', text, lasts),
  error: (text: MessageId, lasts = LASTS.error) => raise('error', text, lasts),
  dismiss: (id: number) => show(shown.filter((each) => each.id !== id)),
  dismissNewest: () => show(shown.slice(0, -1)),
  dismissAll: () => show([]),
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => shown,
  )
}
