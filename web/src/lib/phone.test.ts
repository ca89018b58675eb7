import { expect, test } from 'vitest'
import { formatPhone, isEmail, isPhone, normalizePhone, toDialledPhone, toStoredPhone } from '@/lib/phone'

test.each([
  ['9841234567', '9841234567'],
  ['984-123 4567', '9841234567'],
  ['+977 9841234567', '9841234567'],
  ['9779841234567', '9841234567'],
  ['09841234567', '9841234567'],
  ['९८४१२३४५६७', '9841234567'],
  ['+९७७-९८४१२३४५६७', '9841234567'],
  // These digits are not a country code: the number itself begins with them.
  ['9771234567', '9771234567'],
])('%s is the number %s', (written, plain) => {
  expect(normalizePhone(written)).toBe(plain)
  expect(isPhone(written)).toBe(true)
})

test.each(['98412', '98412345678', '', '98412345ab', '+1 9841234567'])(
  '%s is no 10-digit number',
  (written) => {
    expect(isPhone(written)).toBe(false)
  },
)

test.each([
  ['9841234567', '9841234567', '9841234567', '+9779841234567'],
  ['+977 984-1234567', '9841234567', '9841234567', '+9779841234567'],
  ['01-4412345', '014412345', '01-4412345', '+97714412345'],
  ['(01) 4412345', '014412345', '01-4412345', '+97714412345'],
  ['14412345', '014412345', '01-4412345', '+97714412345'],
  ['+977-1-4412345', '014412345', '01-4412345', '+97714412345'],
  ['०६१-५२०१२३', '061520123', '061-520123', '+97761520123'],
  ['011-490123', '011490123', '011-490123', '+97711490123'],
  ['+91 98123 45678', '+919812345678', '+919812345678', '+919812345678'],
])('%s is stored as %s, shown as %s and dialled as %s', (written, stored, shown, dialled) => {
  expect(toStoredPhone(written)).toBe(stored)
  expect(formatPhone(stored)).toBe(shown)
  expect(toDialledPhone(stored)).toBe(dialled)
})

test.each(['', '98412', '4412345', '98412345678', '98412345ab', '98412345', '+977 12345'])(
  '%s is no phone number',
  (written) => {
    expect(toStoredPhone(written)).toBeNull()
  },
)

test('an address without a domain is no e-mail address', () => {
  expect(isEmail(' sita@example.com ')).toBe(true)
  for (const text of ['a@', 'a', 'a@b', 'a b@c.np', '@c.np']) expect(isEmail(text)).toBe(false)
})
