import { type ReactNode, useEffect, useRef } from 'react'
import { useT } from '@/lib/i18n'
import { CloseIcon } from '@/ui/icons'

type DialogProps = {
  id: string
  title: string
  look: 'sheet' | 'card'
  onClose: () => void
  children: ReactNode
}

/** A native modal dialog: the browser keeps focus inside, closes on Escape and gives focus back to the opener. Mounted means open. */
export function Dialog({ id, title, look, onClose, children }: DialogProps) {
  const t = useT()
  const element = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)

  useEffect(() => {
    const dialog = element.current
    if (!dialog) return undefined
    const opener = document.activeElement
    dialog.showModal()
    // The heading first, so that a screen reader says where one has come to.
    heading.current?.focus()
    return () => {
      dialog.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard's way out; the click is the backdrop
    <dialog
      ref={element}
      id={id}
      className={`dialog dialog-${look}`}
      aria-labelledby={`${id}-title`}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === element.current) onClose()
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
