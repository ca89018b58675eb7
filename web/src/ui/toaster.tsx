import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { messageText, useT } from '@/lib/i18n'
import { AlertIcon, CheckIcon, CloseIcon } from '@/ui/icons'
import { openDialogs, type Toast, toast, useToasts } from '@/ui/toast'

/**
 * Both live regions are in the page from the first paint, because screen readers ignore regions that arrive with their
 * text.
 */
export function Toaster() {
  const t = useT()
  const toasts = useToasts()
  const dialog = openDialogs.use().at(-1)
  const [held, setHeld] = useState(false)
  const hidden = useHiddenTab()
  // A toast that disappears under the pointer sends no leave event; without this the next toast would stay forever.
  if (held && toasts.length === 0) setHeld(false)

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || openDialogs.read().length > 0) return
      toast.dismissNewest()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  const cards = (kind: Toast['kind']) =>
    toasts
      .filter((each) => each.kind === kind)
      .map((each) => <ToastCard key={each.id} toast={each} paused={held || hidden} />)

  const area = (
    <section
      className="toaster"
      aria-label={t('shell.messages')}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div role="status" aria-live="polite">
        {cards('success')}
      </div>
      <div role="alert" aria-live="assertive">
        {cards('error')}
      </div>
    </section>
  )
  return dialog ? createPortal(area, dialog) : area
}

function ToastCard({ toast: shown, paused }: { toast: Toast; paused: boolean }) {
  const { id, kind, text, durationMs, action, restarts } = shown
  const t = useT()
  const clock = useRef({ restarts, left: durationMs })

  useEffect(() => {
    if (clock.current.restarts !== restarts) clock.current = { restarts, left: durationMs }
    if (paused) return undefined
    const started = Date.now()
    const timer = setTimeout(() => toast.dismiss(id), clock.current.left)
    return () => {
      clearTimeout(timer)
      clock.current.left -= Date.now() - started
    }
  }, [id, durationMs, restarts, paused])

  return (
    <div className={`toast toast-${kind}`} data-testid="toast">
      {kind === 'success' ? <CheckIcon /> : <AlertIcon />}
      <span>{messageText(text)}</span>
      {action ? (
        <button
          type="button"
          className="toast-action"
          onClick={() => {
            toast.dismiss(id)
            action.run()
          }}
        >
          {t(action.label)}
        </button>
      ) : null}
      <button type="button" aria-label={t('shell.close')} onClick={() => toast.dismiss(id)}>
        <CloseIcon />
      </button>
    </div>
  )
}

function useHiddenTab(): boolean {
  const [hidden, setHidden] = useState(false)
  useEffect(() => {
    const update = () => setHidden(document.hidden)
    document.addEventListener('visibilitychange', update)
    return () => document.removeEventListener('visibilitychange', update)
  }, [])
  return hidden
}
