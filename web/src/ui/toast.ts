import type { MessageId, RawText } from '@/lib/i18n'
import { createStore } from '@/lib/store'

type ToastAction = { label: MessageId; run: () => void }

export type Toast = {
  id: number
  kind: 'success' | 'error'
  text: MessageId | RawText
  durationMs: number
  /** An action such as undo; pressing it also closes the toast. */
  action: ToastAction | undefined
  /** Increases when the same text is shown again, which restarts its timer instead of adding a second toast. */
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
  /** Dismisses a toast by its id or by its text. */
  dismiss: (which: number | Toast['text']) =>
    show(shown().filter((each) => each.id !== which && each.text !== which)),
  dismissNewest: () => show(shown().slice(0, -1)),
  dismissAll: () => show([]),
  /** Dismisses what a form said about its previous attempt; a toast with an action stays. */
  dismissErrors: () => show(shown().filter(({ kind, action }) => kind === 'success' || action)),
}

export const useToasts = store.use

/**
 * The open dialogs, the topmost last. While one is open, everything outside it is inert, so toasts are drawn inside it.
 */
export const openDialogs = createStore<readonly HTMLDialogElement[]>([])
