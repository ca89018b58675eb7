/** Shadows are tinted with this violet, as in Fluent Emoji; grey ones look dirty. */
const SHADOW = '#2c0d4a'

const channels = (hex: string) => [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16))

/** The colour between two colours; a share of 0 is the first. */
export function mix(from: string, to: string, share: number): string {
  const [a, b] = [channels(from), channels(to)]
  const mixed = a.map((value, index) => Math.round(value + ((b[index] ?? value) - value) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

export const lighter = (color: string, share: number) => mix(color, '#ffffff', share)
export const darker = (color: string, share: number) => mix(color, SHADOW, share)

/** How bright a colour looks, from 0 to 255. */
function brightness(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color)
  return red * 0.3 + green * 0.59 + blue * 0.11
}

export const isPale = (color: string) => brightness(color) > 210

/** A readable colour of text on a colour. */
export const inkOn = (color: string) => (brightness(color) > 150 ? darker(color, 0.82) : '#ffffff')

/** Pseudo-random numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: string): () => number {
  let state = 7
  for (const char of seed) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 0x9e3779b1)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** About how many em a bold text is wide: enough to choose its size before the browser has shaped it. */
export function emWidth(text: string): number {
  let width = 0
  for (const char of text) {
    if (/\p{Mn}/u.test(char)) continue
    if (/\p{Mc}/u.test(char)) width += 0.34
    else if (/\p{Script=Devanagari}/u.test(char)) width += 0.74
    else if (/[\p{Lu}\p{N}MWmw@]/u.test(char)) width += 0.66
    else if (/[\sijlft.,()'|]/.test(char)) width += 0.32
    else width += 0.56
  }
  return Math.max(width, 0.5)
}

/** The text in two lines of about equal width, or in one if it is a single word. */
export function twoLines(text: string): string[] {
  const words = text.trim().split(/\s+/)
  if (words.length < 2) return words
  const halves = words
    .slice(1)
    .map((_, index) => [words.slice(0, index + 1).join(' '), words.slice(index + 1).join(' ')])
  const widest = (lines: string[]) => Math.max(...lines.map(emWidth))
  return halves.reduce((best, lines) => (widest(lines) < widest(best) ? lines : best))
}
