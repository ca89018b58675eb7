/** What somebody typed, with Latin digits for Nepali ones: the rest of the shop counts in those. */
export const latinDigits = (text: string): string =>
  text.replace(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - '०'.charCodeAt(0)))

export function parseWholeNumber(text: string): number {
  const digits = latinDigits(text).replace(/[^0-9]/g, '')
  return digits === '' ? Number.NaN : Number(digits)
}
