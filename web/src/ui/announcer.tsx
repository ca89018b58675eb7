import { createStore } from '@/lib/store'

const announcement = createStore({ text: '', code: '' })

/** Announces a text to screen readers without interrupting them. `code` is in the text as it is, in both languages. */
export const announce = (text: string, code = '') => announcement.set({ text, code })

export function Announcer() {
  const { text, code } = announcement.use()
  return (
    <div className="sr-only" role="status" aria-live="polite" data-verbatim={code || undefined}>
      {text}
    </div>
  )
}
