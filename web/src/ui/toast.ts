import { useSyncExternalStore } from 'react'
import type { MessageId } from '@/lib/i18n'

type ToastAction = { label: MessageId; run: () => void }

export type Toast = {
  id: number
  kind: 'success' | 'error'
  text: MessageId
  lasts: number
  /** One way to take it back; pressing it also closes the toast. */
  action: ToastAction | undefined
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

function raise(kind: Toast['kind'], text: MessageId, lasts: number, action?: ToastAction) {
  const same = shown.find((each) => each.text === text && each.kind === kind)
  if (same) {
    show(shown.map((each) => (each === same ? { ...each, lasts, action, raised: each.raised + 1 } : each)))
    return
  }
  show([...shown, { id: nextId++, kind, text, lasts, action, raised: 0 }].slice(-MOST_AT_ONCE))
}

export const toast = {
  success: (text: MessageId, action?: ToastAction) => raise('success', text, LASTS.success, action),
  error: (text: MessageId) => raise('error', text, LASTS.error),
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
