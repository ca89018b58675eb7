import { expect, test } from 'vitest'
import { takeToken } from '@/lib/fragment'

test('the token is taken out of the address and stays at hand on its page only', () => {
  window.history.replaceState(null, '', '/reset-password?x=1#token=abc')
  expect(takeToken()).toBe('abc')
  expect(window.location.href).toMatch(/\/reset-password\?x=1$/)
  expect(takeToken()).toBe('abc')
  window.history.replaceState(null, '', '/confirm-email')
  expect(takeToken()).toBe('')
})
