/** Replaces Nepali digits in typed text with Latin ones, which the rest of the code expects. */
export const latinDigits = (text: string): string =>
  text.replace(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - '०'.charCodeAt(0)))

export function parseWholeNumber(text: string): number {
  const digits = latinDigits(text).replace(/[^0-9]/g, '')
  return digits === '' ? Number.NaN : Number(digits)
}
