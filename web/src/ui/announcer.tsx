import { createStore } from '@/lib/store'

const said = createStore('')

/** Says a sentence to screen readers, politely. */
export const announce = said.set

export function Announcer() {
  return (
    <div className="sr-only" role="status" aria-live="polite">
      {said.use()}
    </div>
  )
}
