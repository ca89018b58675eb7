import type { MessageId, RawText } from '@/lib/i18n'
import { createStore } from '@/lib/store'

type ToastAction = { label: MessageId; run: () => void }

export type Toast = {
  id: number
  kind: 'success' | 'error'
  text: MessageId | RawText
  durationMs: number
  /** One way to take it back; pressing it also closes the toast. */
  action: ToastAction | undefined
  /** Goes up when the same text is raised again, which restarts its clock instead of stacking a copy. */
  restarts: number
}

const MAX_TOASTS = 3
const DURATION_MS = { success: 4000, error: 8000, asking: 60_000 }

let nextId = 1
const store = createStore<readonly Toast[]>([])
const show = store.set
const shown = store.read

function showToast(kind: Toast['kind'], text: Toast['text'], durationMs: number, action?: ToastAction) {
  const same = shown().find((each) => each.text === text && each.kind === kind)
  if (same) {
    show(
      shown().map((each) =>
        each === same ? { ...each, durationMs, action, restarts: each.restarts + 1 } : each,
      ),
    )
    return
  }
  show([...shown(), { id: nextId++, kind, text, durationMs, action, restarts: 0 }].slice(-MAX_TOASTS))
}

export const toast = {
  success: (text: Toast['text'], action?: ToastAction, durationMs = DURATION_MS.success) =>
    showToast('success', text, durationMs, action),
  error: (
    text: Toast['text'],
    action?: ToastAction,
    durationMs = action ? DURATION_MS.asking : DURATION_MS.error,
  ) => showToast('error', text, durationMs, action),
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
