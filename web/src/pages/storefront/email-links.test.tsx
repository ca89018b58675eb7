import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { AuthDialog, authDialog } from '@/features/accounts/auth-dialog'
import { CancelEmailChangePage } from '@/pages/storefront/cancel-email-change-page'
import { ConfirmEmailPage } from '@/pages/storefront/confirm-email-page'
import { ResetPasswordPage } from '@/pages/storefront/reset-password-page'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused, serverFailed } from '@/test/server'

afterEach(() => {
  authDialog.close()
  window.history.replaceState(null, '', '/')
})

const LINK_INVALID = refused(422, 'link_invalid', 'This link is no longer valid. Please request a new one.')
const openEmailLink = (path: string, token: string) =>
  window.history.replaceState(null, '', `${path}#token=${token}`)

async function reset(answer: Parameters<typeof mockServer>[0][string]) {
  openEmailLink('/reset-password', 'secret-1')
  const requests = mockServer({ 'POST /api/user/password/reset': answer })
  await renderInShop(
    <>
      <ResetPasswordPage />
      <AuthDialog />
    </>,
  )
  expect(window.location.href).not.toContain('secret')
  const user = userEvent.setup()
  await user.type(screen.getByLabelText('New password'), 'momo-2083')
  await user.click(screen.getByRole('button', { name: 'Save password' }))
  return { requests, user }
}

test('the link of an email leads to a new password', async () => {
  const { requests } = await reset(ok({}))
  expect(
    await screen.findByRole('heading', { name: 'Your password has been changed. Please log in.' }),
  ).toBeInTheDocument()
  expect(requests[0]?.body).toEqual({ token: 'secret-1', password: 'momo-2083' })
  expect(screen.getByRole('button', { name: 'Login' })).toBeInTheDocument()
})

test('a password that is too easy is refused in words, and the link can still be used', async () => {
  let attempts = 0
  const tooCommon = 'This password is too easy to guess. Please choose another one.'
  const { requests, user } = await reset(() =>
    ++attempts === 1 ? refused(422, 'password_common', tooCommon) : ok({}),
  )
  expect(await screen.findByTestId('toast')).toHaveTextContent(tooCommon)
  await user.clear(screen.getByLabelText('New password'))
  await user.type(screen.getByLabelText('New password'), 'momo-in-the-rain')
  await user.click(screen.getByRole('button', { name: 'Save password' }))
  expect(
    await screen.findByRole('heading', { name: 'Your password has been changed. Please log in.' }),
  ).toBeInTheDocument()
  expect(requests.at(-1)?.body).toEqual({ token: 'secret-1', password: 'momo-in-the-rain' })
})

test('an old link says so and leads to a new one', async () => {
  const { requests, user } = await reset(LINK_INVALID)
  expect(await screen.findByTestId('toast')).toHaveTextContent('This link is no longer valid.')
  expect(requests).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: 'Request a new link' }))
  expect(await screen.findByRole('dialog', { name: 'Forgot password?' })).toBeInTheDocument()
})

test('the page without a token does not pretend', async () => {
  window.history.replaceState(null, '', '/elsewhere')
  await renderInShop(<ResetPasswordPage />)
  expect(screen.getByRole('heading')).toHaveTextContent('This link is no longer valid.')
})

test('opening the link confirms the address, with one request', async () => {
  openEmailLink('/confirm-email', 'secret-2')
  const requests = mockServer({ 'POST /api/user/email/confirm': ok({ email: 'new@example.com' }) })
  await renderInShop(<ConfirmEmailPage />)
  expect(await screen.findByRole('heading', { name: 'Your email address is confirmed' })).toBeInTheDocument()
  expect(screen.getByText('new@example.com')).toBeInTheDocument()
  expect(window.location.href).not.toContain('secret')
  expect(requests).toEqual([{ method: 'POST', path: '/api/user/email/confirm', body: { token: 'secret-2' } }])
})

test('a link that was used already is explained', async () => {
  openEmailLink('/confirm-email', 'secret-3')
  const requests = mockServer({ 'POST /api/user/email/confirm': LINK_INVALID })
  await renderInShop(<ConfirmEmailPage />)
  expect(await screen.findByText(/This link is no longer valid/)).toBeInTheDocument()
  expect(requests).toHaveLength(1)
})

test('after a fault the same link can be tried again', async () => {
  openEmailLink('/confirm-email', 'secret-4')
  let attempts = 0
  mockServer({
    'POST /api/user/email/confirm': () =>
      ++attempts === 1 ? serverFailed : ok({ email: 'new@example.com' }),
  })
  await renderInShop(<ConfirmEmailPage />)
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('new@example.com')).toBeInTheDocument()
  expect(attempts).toBe(2)
})

test('"this was not me" asks first, then cancels and says what comes next', async () => {
  openEmailLink('/cancel-email-change', 'secret-5')
  const requests = mockServer({ 'POST /api/user/email/cancel': ok({ email: 'asha@example.com' }) })
  await renderInShop(<CancelEmailChangePage />)
  expect(window.location.href).not.toContain('secret')
  expect(requests).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Cancel the change' }))
  expect(await screen.findByRole('heading', { name: 'Email change cancelled' })).toBeInTheDocument()
  expect(screen.getByText(/uses asha@example.com again/)).toBeInTheDocument()
  expect(requests).toEqual([{ method: 'POST', path: '/api/user/email/cancel', body: { token: 'secret-5' } }])
})

test('"this was not me" with an old link says so', async () => {
  openEmailLink('/cancel-email-change', 'secret-6')
  mockServer({ 'POST /api/user/email/cancel': LINK_INVALID })
  await renderInShop(<CancelEmailChangePage />)
  await userEvent.click(screen.getByRole('button', { name: 'Cancel the change' }))
  expect(await screen.findByText(/This link is no longer valid/)).toBeInTheDocument()
})
