const STEPS = [1, 2, 3, 4, 5, 6, 8, 10]

/** A round figure at or above `most` whose half is round enough for the middle line. */
export function roundUpScale(most: number): number {
  if (most <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(most))
  const step = STEPS.find((each) => each * power >= most) ?? 10
  return step * power
}
