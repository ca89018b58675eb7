import { type ReactNode, useEffect, useRef } from 'react'
import { useT } from '@/lib/i18n'
import { CloseIcon } from '@/ui/icons'
import { openDialogs } from '@/ui/toast'

type DialogProps = {
  id: string
  title: string
  /** A sheet slides in from the side, `bottom` from below; a card floats; a form is a card that fills a phone's screen; `full` fills any. */
  variant: 'sheet' | 'bottom' | 'card' | 'form' | 'full'
  onClose: () => void
  children: ReactNode
}

/**
 * A native modal dialog: the browser traps the focus, closes it on Escape and returns the focus to the opener. Mounting
 * it opens it.
 */
export function Dialog({ id, title, variant, onClose, children }: DialogProps) {
  const t = useT()
  const element = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)

  useEffect(() => {
    const dialog = element.current
    if (!dialog) return undefined
    const opener = document.activeElement
    dialog.showModal()
    openDialogs.set([...openDialogs.read(), dialog])
    // The heading takes the focus first, so that a screen reader announces the dialog.
    heading.current?.focus()
    return () => {
      openDialogs.set(openDialogs.read().filter((other) => other !== dialog))
      dialog.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard's way out; the click is the backdrop
    <dialog
      ref={element}
      id={id}
      className={`dialog dialog-${variant}`}
      aria-labelledby={`${id}-title`}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        // A tap beside a form must not discard what was typed.
        if (event.target === element.current && variant !== 'form') onClose()
      }}
    >
      <div className="dialog-body">
        <div className="dialog-head">
          <h2 ref={heading} id={`${id}-title`} tabIndex={-1}>
            {title}
          </h2>
          <button type="button" className="icon-button" aria-label={t('shell.close')} onClick={onClose}>
            <CloseIcon size={24} />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}
