import { expect, test } from 'vitest'
import { takeLinkToken } from '@/lib/link-token'

test('the token is taken out of the address and stays at hand on its page only', () => {
  window.history.replaceState(null, '', '/reset-password?x=1#token=abc')
  expect(takeLinkToken()).toBe('abc')
  expect(window.location.href).toMatch(/\/reset-password\?x=1$/)
  expect(takeLinkToken()).toBe('abc')
  window.history.replaceState(null, '', '/confirm-email')
  expect(takeLinkToken()).toBe('')
})
