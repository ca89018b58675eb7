import { createStore } from '@/lib/store'

const announcement = createStore('')

/** Announces a text to screen readers without interrupting them. */
export const announce = announcement.set

export function Announcer() {
  return (
    <div className="sr-only" role="status" aria-live="polite">
      {announcement.use()}
    </div>
  )
}
