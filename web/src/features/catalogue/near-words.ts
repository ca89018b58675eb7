const MOST = 3
/** A word may differ by this share of its characters; the server has already tried the smaller differences. */
const TOLERANCE = 0.5

/** The number of characters to insert, delete or replace to get from one word to the other. */
export function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + Number(from[i - 1] !== to[j - 1])
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

/** Words of these names that look like a word of the text, the nearest first. */
export function nearWords(text: string, names: string[]): string[] {
  const words = (line: string) =>
    line
      .toLowerCase()
      .split(/[^\p{L}\p{M}]+/u)
      .filter(({ length }) => length > 2)
  const typed = words(text)
  const found = new Map<string, number>()
  for (const word of new Set(names.flatMap(words))) {
    const distance = Math.min(...typed.map((each) => edits(each, word) / Math.max(each.length, word.length)))
    if (distance > 0 && distance <= TOLERANCE) found.set(word, distance)
  }
  return [...found]
    .sort(([a, x], [b, y]) => x - y || a.localeCompare(b))
    .slice(0, MOST)
    .map(([word]) => word)
}
