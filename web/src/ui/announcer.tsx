import { createStore } from '@/lib/store'

const announcement = createStore('')

/** Says a sentence to screen readers, politely. */
export const announce = announcement.set

export function Announcer() {
  return (
    <div className="sr-only" role="status" aria-live="polite">
      {announcement.use()}
    </div>
  )
}
