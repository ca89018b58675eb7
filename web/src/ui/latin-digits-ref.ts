import { latinDigits } from '@/lib/latin-digits'

const NEPALI_DIGIT = /[०-९]/

/**
 * A browser's number field takes Latin digits only and drops others without a word. With this on it, Nepali digits that are
 * typed, pasted or come out of a phone's keyboard arrive as Latin ones.
 */
export function latinDigitsRef(field: HTMLInputElement | null) {
  if (!field) return undefined
  const put = (text: string) => {
    const number = latinDigits(text).replace(/[,\s]/g, '')
    // '५-१०' is no number; made into one it would be another than was meant.
    if (!/^\d*\.?\d*$/.test(number)) return
    // The one way that keeps the caret and what can be undone: a number field has no selection to write into.
    document.execCommand('insertText', false, number)
  }
  const typed = (event: InputEvent) => {
    const text = event.data ?? event.dataTransfer?.getData('text/plain') ?? ''
    if (event.isComposing || !NEPALI_DIGIT.test(text)) return
    event.preventDefault()
    put(text)
  }
  const composed = ({ data }: CompositionEvent) => {
    if (NEPALI_DIGIT.test(data)) put(data)
  }
  field.addEventListener('beforeinput', typed)
  field.addEventListener('compositionend', composed)
  return () => {
    field.removeEventListener('beforeinput', typed)
    field.removeEventListener('compositionend', composed)
  }
}
