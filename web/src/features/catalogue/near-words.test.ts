import { expect, test } from 'vitest'
import { nearWords } from '@/features/catalogue/near-words'

const NAMES = ['Basmati Rice', 'Mustard Oil', 'Masyaura', 'बासमती चामल', 'Tea & Coffee']

test.each([
  ['bosmoty', ['basmati']],
  ['coffey beans', ['coffee']],
  ['चमाल', ['चामल']],
  ['xyzzy', []],
  ['a', []],
  // A word of the shop is not another spelling of itself.
  ['rice', []],
])('%s looks like %j', (text, words) => {
  expect(nearWords(text, NAMES)).toEqual(words)
})

test('the nearest words come first, at most three', () => {
  expect(nearWords('masala', ['masal', 'masur', 'masyaura', 'sala', 'msala'])).toEqual([
    'masal',
    'msala',
    'sala',
  ])
})
