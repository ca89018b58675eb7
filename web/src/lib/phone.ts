import { latinDigits } from '@/lib/latin-digits'

/**
 * Removes spaces, dashes, the country code and a leading zero from a number in either script, and returns its digits.
 */
export function normalizePhone(text: string): string {
  const digits = latinDigits(text).replace(/[\s().-]/g, '')
  return digits.replace(/^(?:\+?977|0)(?=\d{10}$)/, '')
}

/**
 * Returns the number in the form in which the shop stores it, or null: a mobile number as ten digits, a landline with
 * its area code and the zero, a foreign number with `+`. The server has the same rule (platform/contact.rs).
 */
export function toStoredPhone(text: string): string | null {
  const typed = latinDigits(text).replace(/[\s()./-]/g, '')
  const abroad = /^(?:\+|00)(\d+)$/.exec(typed)?.[1]
  if (abroad !== undefined) {
    if (abroad.startsWith('977')) return parseNepaliPhone(abroad.slice(3))
    return /^\d{8,15}$/.test(abroad) ? `+${abroad}` : null
  }
  return parseNepaliPhone(typed) ?? (typed.startsWith('977') ? parseNepaliPhone(typed.slice(3)) : null)
}

function parseNepaliPhone(digits: string): string | null {
  if (/^\d{10}$/.test(digits)) return digits
  const number = digits.replace(/^0/, '')
  if (/^\d{10}$/.test(number)) return number
  // No area code begins with 98; such a number is a mobile number with missing digits.
  return /^(?!98)[1-9]\d{7}$/.test(number) ? `0${number}` : null
}

/** Formats a landline with a dash after its area code. */
export const formatPhone = (stored: string) => stored.replace(/^0(?:1(?=[4-6]\d{6}$)|\d\d(?=\d{6}$))/, '$&-')

/** The number for `tel:`, with the country code, so that it can be called from abroad and by a roaming phone. */
export function toDialledPhone(stored: string): string {
  const number = toStoredPhone(stored)
  if (number === null) return stored.replace(/[^+\d]/g, '')
  return number.startsWith('+') ? number : `+977${number.replace(/^0/, '')}`
}

export const isPhone = (text: string) => /^\d{10}$/.test(normalizePhone(text))
export const isEmail = (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim())
