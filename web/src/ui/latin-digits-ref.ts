import { latinDigits } from '@/lib/latin-digits'

const NEPALI_DIGIT = /[०-९]/

/**
 * A browser's number field accepts Latin digits only and silently drops others. With this ref, typed or pasted Nepali
 * digits become Latin ones.
 */
export function latinDigitsRef(field: HTMLInputElement | null) {
  if (!field) return undefined
  const put = (text: string) => {
    const number = latinDigits(text).replace(/[,\s]/g, '')
    // '५-१०' is not a number, and converting it would produce a wrong one.
    if (!/^\d*\.?\d*$/.test(number)) return
    // Only this keeps the caret and the undo history: a number field has no selection to write into.
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
