import { expect, test } from 'vitest'
import { isEmail, isPhone, plainPhone } from '@/lib/phone'

test.each([
  ['9841234567', '9841234567'],
  ['984-123 4567', '9841234567'],
  ['+977 9841234567', '9841234567'],
  ['9779841234567', '9841234567'],
  ['09841234567', '9841234567'],
  ['९८४१२३४५६७', '9841234567'],
  ['+९७७-९८४१२३४५६७', '9841234567'],
  // Not a prefix: the number itself begins so.
  ['9771234567', '9771234567'],
])('%s is the number %s', (written, plain) => {
  expect(plainPhone(written)).toBe(plain)
  expect(isPhone(written)).toBe(true)
})

test.each(['98412', '98412345678', '', '98412345ab', '+1 9841234567'])(
  '%s is no 10-digit number',
  (written) => {
    expect(isPhone(written)).toBe(false)
  },
)

test('an address without a domain is no e-mail address', () => {
  expect(isEmail(' sita@example.com ')).toBe(true)
  for (const text of ['a@', 'a', 'a@b', 'a b@c.np', '@c.np']) expect(isEmail(text)).toBe(false)
})
