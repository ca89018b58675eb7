import { expect, test } from 'vitest'
import { toneOf } from '@/features/media/picture-placeholder'

test('the tone of a category is the one the server computes', () => {
  // The same vectors are in server/src/site/view.rs.
  expect(toneOf('')).toBe(0x811c9dc5 % 8)
  expect(toneOf('a')).toBe(0xe40c292c % 8)
  expect(toneOf('rice-grains')).toBe(7)
  expect(toneOf('vegetables')).toBe(1)
})
