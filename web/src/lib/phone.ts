import { latinDigits } from '@/lib/typed-digits'

/** As people write numbers here: spaces, dashes, the country code, a leading zero, either script. What is left are the digits. */
export function plainPhone(text: string): string {
  const digits = latinDigits(text).replace(/[\s().-]/g, '')
  return digits.replace(/^(?:\+?977|0)(?=\d{10}$)/, '')
}

export const isPhone = (text: string) => /^\d{10}$/.test(plainPhone(text))
export const isEmail = (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim())
