import { type KeyboardEvent, useRef } from 'react'

/**
 * The keys of a chart that is one tab stop: arrow keys, Home and End move between its bars, which have the attribute
 * `data-bar`.
 */
export function useBarKeys(count: number, active: number, onActive: (index: number) => void) {
  const drawing = useRef<SVGSVGElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    // Alt and an arrow key navigate back in the browser.
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const last = count - 1
    const next = { ArrowLeft: active - 1, ArrowRight: active + 1, Home: 0, End: last }[event.key]
    if (next === undefined) return
    event.preventDefault()
    const index = Math.max(0, Math.min(last, next))
    onActive(index)
    drawing.current?.querySelectorAll<SVGGElement>('[data-bar]')[index]?.focus()
  }
  return { drawing, onKeyDown }
}
