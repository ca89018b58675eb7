import type { MessageId, RawText } from '@/lib/i18n'
import { createStore } from '@/lib/store'

type ToastAction = { label: MessageId; run: () => void }

export type Toast = {
  id: number
  kind: 'success' | 'error'
  text: MessageId | RawText
  lasts: number
  /** One way to take it back; pressing it also closes the toast. */
  action: ToastAction | undefined
  /** Goes up when the same text is raised again, which restarts its clock instead of stacking a copy. */
  raised: number
}

const MOST_AT_ONCE = 3
const LASTS = { success: 4000, error: 8000, asking: 60_000 }

let nextId = 1
const store = createStore<readonly Toast[]>([])
const show = store.set
const shown = store.read

function raise(kind: Toast['kind'], text: Toast['text'], lasts: number, action?: ToastAction) {
  const same = shown().find((each) => each.text === text && each.kind === kind)
  if (same) {
    show(shown().map((each) => (each === same ? { ...each, lasts, action, raised: each.raised + 1 } : each)))
    return
  }
  show([...shown(), { id: nextId++, kind, text, lasts, action, raised: 0 }].slice(-MOST_AT_ONCE))
}

export const toast = {
  success: (text: Toast['text'], action?: ToastAction, lasts = LASTS.success) =>
    raise('success', text, lasts, action),
  error: (text: Toast['text'], action?: ToastAction, lasts = action ? LASTS.asking : LASTS.error) =>
    raise('error', text, lasts, action),
  /** By its number, or by what it says. */
  dismiss: (which: number | Toast['text']) =>
    show(shown().filter((each) => each.id !== which && each.text !== which)),
  dismissNewest: () => show(shown().slice(0, -1)),
  dismissAll: () => show([]),
}

export const useToasts = store.use

/**
 * The dialogs that are open, the topmost last. While one is, all else is out of reach, toasts included: they are then drawn
 * inside it.
 */
export const openDialogs = createStore<readonly HTMLDialogElement[]>([])
