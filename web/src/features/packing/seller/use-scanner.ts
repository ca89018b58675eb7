import { useEffect, useRef } from 'react'

/** A scanner types much faster than a person. */
const LONGEST_PAUSE_MS = 100
const BARCODE = /^(\d{8}|\d{12}|\d{13})$/

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('input, textarea, select')

/** Calls back with a barcode that a scanner types like a keyboard: fast digits and Enter. */
export function useScanner(onScan: (barcode: string) => void) {
  const scanned = useRef(onScan)
  useEffect(() => {
    scanned.current = onScan
  })
  useEffect(() => {
    let digits = ''
    let last = 0
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event.target)) return
      if (event.timeStamp - last > LONGEST_PAUSE_MS) digits = ''
      last = event.timeStamp
      if (/^\d$/.test(event.key)) digits += event.key
      else if (event.key === 'Enter') {
        if (BARCODE.test(digits)) {
          // The focused button must not be pressed by the scanner's Enter.
          event.preventDefault()
          scanned.current(digits)
        }
        digits = ''
      } else digits = ''
    }
    window.addEventListener('keydown', onKey, true)
    return () => window.removeEventListener('keydown', onKey, true)
  }, [])
}
