import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { queryClient } from '@/api/query-client'
import { sessions } from '@/features/accounts/session'
import { sellerStorageKey } from '@/features/staff/storage'
import { SellerLayout } from '@/pages/seller/seller-layout'
import { aUser } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused, serverFailed } from '@/test/server'
import { settled } from '@/test/settled'

const SELLER = { name: 'Ram', email: 'ram@example.com' }
type Table = Parameters<typeof mockServer>[0]

async function openSeller(check: Table[string], table: Table = {}) {
  const requests = mockServer({ 'GET /api/seller/checkSeller': check, ...table })
  const shop = await renderInShop(<SellerLayout />, { at: '/seller' })
  return { ...shop, requests, user: userEvent.setup() }
}

const signedOut = refused(401, 'signed_out', '')

async function login(answer: Table[string], codeAnswer: Table[string] = serverFailed) {
  const opened = await openSeller(signedOut, {
    'POST /api/seller/login': answer,
    'POST /api/seller/login/code': codeAnswer,
  })
  await opened.user.type(await screen.findByLabelText('Email'), 'ram@example.com')
  await opened.user.type(screen.getByLabelText('Password'), 'momo-2083')
  await opened.user.click(screen.getByRole('button', { name: 'Login' }))
  return opened
}

test('as long as nobody knows who is there, neither the form nor the dashboard is shown', async () => {
  const { container } = await openSeller('never')
  expect(screen.queryByLabelText('Email')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Logout' })).toBeNull()
  expect(container.querySelector('[aria-busy="true"]')).not.toBeNull()
})

// spec: 2.seller.1, 2.seller.2
test('whoever is no seller sees the login with two links that lead nowhere', async () => {
  const { user, address, requests } = await openSeller(signedOut)
  expect(await screen.findByLabelText('Email')).toHaveAttribute('autocomplete', 'username')
  for (const name of ['Forgot password?', 'Sign up']) {
    const link = screen.getByRole('link', { name })
    expect(link).toHaveAttribute('aria-disabled', 'true')
    expect(link).toHaveAccessibleDescription('Not available yet')
    await user.click(link)
    expect(address()).toBe('/seller')
  }
  expect(requests).toHaveLength(1)
  expect(screen.queryByTestId('toast')).toBeNull()
})

// spec: 2.seller.3, 2.seller.4, 2.seller.5, 2.seller.6
test('a seller gets the dashboard: logo, Home Page, greeting, Logout and the three places', async () => {
  await openSeller(ok(SELLER))
  expect(await screen.findByText('Hello, Ram')).toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'Home Page' })).toHaveAttribute('href', '/')
  expect(screen.getByRole('link', { name: 'Product List' })).toHaveAttribute('href', '/seller')
  expect(screen.getByRole('link', { name: 'Orders' })).toHaveAttribute('href', '/seller/orders')
  expect(screen.getByRole('link', { name: 'Categories' })).toHaveAttribute('href', '/seller/categories')
  expect(screen.queryByLabelText('Password')).toBeNull()
})

// spec: 7.seller.1
test('the right password opens the dashboard', async () => {
  const { requests } = await login(ok(SELLER))
  expect(await screen.findByText('Hello, Ram')).toBeInTheDocument()
  expect(requests.findLast(({ path }) => path.endsWith('/login'))?.body).toEqual({
    email: 'ram@example.com',
    password: 'momo-2083',
  })
})

// spec: 8.seller.1, 8.seller.2
test.each([
  [
    "401: the server's words",
    refused(401, 'wrong_credentials', 'Wrong email or password.'),
    'Wrong email or password.',
  ],
  ['500', serverFailed, 'Internal server error. Please try again later.'],
  ['no answer', 'no network' as const, 'We could not reach the shop. Please try again in a moment.'],
])('%s', async (_what, answer, text) => {
  const { requests } = await login(answer)
  expect(await screen.findByTestId('toast')).toHaveTextContent(text)
  expect(screen.getAllByText(text)).toHaveLength(2)
  expect(requests.at(-1)?.path).toBe('/api/seller/login')
})

test('where a second step is set up, the code is asked for after the password, which is sent once', async () => {
  const { user, requests } = await login(refused(401, 'second_step', 'Second step needed'), ({ body }) =>
    (body as { code?: string }).code === '123456' ? ok(SELLER) : refused(401, 'wrong_code', 'Wrong code.'),
  )
  const code = await screen.findByLabelText('Code')
  await waitFor(() => expect(code).toHaveFocus())
  expect(screen.queryByTestId('toast')).toBeNull()
  expect(screen.queryByLabelText('Password')).toBeNull()
  await user.type(code, '१२३ 456')
  await user.click(screen.getByRole('button', { name: 'Login' }))
  expect(await screen.findByText('Hello, Ram')).toBeInTheDocument()
  expect(requests.filter(({ path }) => path.endsWith('/login'))).toHaveLength(1)
  expect(requests.findLast(({ path }) => path.endsWith('/login/code'))?.body).toEqual({ code: '123456' })
})

test('a wrong code is marked to be typed over, and there is a way back to the first step', async () => {
  const { user } = await login(
    refused(401, 'second_step', 'Second step needed'),
    refused(401, 'wrong_code', 'Wrong code.'),
  )
  const code = await screen.findByLabelText<HTMLInputElement>('Code')
  expect(screen.queryByRole('link', { name: 'Sign up' })).toBeNull()
  await user.type(code, '123456')
  await user.click(screen.getByRole('button', { name: 'Login' }))
  expect(await screen.findByTestId('toast')).toHaveTextContent('Wrong code.')
  expect([code.selectionStart, code.selectionEnd]).toEqual([0, 6])
  await user.click(screen.getByRole('button', { name: 'Back to email and password' }))
  expect(screen.getByLabelText('Password')).toBeInTheDocument()
  expect(screen.queryByText('Wrong code.', { selector: '.form-problem' })).toBeNull()
})

test('a backup code is sent as it was typed, and a login that waited too long starts again', async () => {
  const { user, requests } = await login(refused(401, 'second_step', 'Second step needed'), () =>
    refused(401, 'no_pending_login', 'Please enter your email and password again.'),
  )
  await user.click(await screen.findByRole('button', { name: 'Use a backup code' }))
  await user.type(screen.getByLabelText('Backup code'), 'k7m2-9xtr-bcde-fgh3-jkm4-npq5')
  await user.click(screen.getByRole('button', { name: 'Login' }))
  expect(await screen.findByLabelText('Password')).toBeInTheDocument()
  expect(requests.at(-1)?.body).toEqual({ code: 'k7m2-9xtr-bcde-fgh3-jkm4-npq5' })
})

test('a first password has to be changed before anything else is asked for, and then the dashboard opens', async () => {
  const { user, requests } = await openSeller(signedOut, {
    'POST /api/seller/login': ok({ ...SELLER, passwordChangeNeeded: true }),
    'POST /api/seller/password/change': ({ body }) =>
      (body as { newPassword: string }).newPassword === 'momo-2083'
        ? refused(422, 'password_same', 'Please choose a password other than the current one.')
        : ok({}),
  })
  await user.type(await screen.findByLabelText('Email'), 'ram@example.com')
  await user.type(screen.getByLabelText('Password'), 'momo-2083')
  await user.click(screen.getByRole('button', { name: 'Login' }))

  expect(await screen.findByRole('heading', { name: 'Choose your own password' })).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Logout' })).toBeInTheDocument()
  expect(screen.queryByRole('link', { name: 'Orders' })).toBeNull()
  await user.type(screen.getByLabelText('Temporary password'), 'momo-2083')
  await user.type(screen.getByLabelText('New password'), 'momo-2083')
  await user.click(screen.getByRole('button', { name: 'Change password' }))
  await waitFor(() =>
    expect(screen.getByLabelText('New password')).toHaveAccessibleDescription(/other than the current one/),
  )
  expect(requests.filter(({ path }) => path.includes('/order/'))).toEqual([])

  await user.clear(screen.getByLabelText('New password'))
  await user.type(screen.getByLabelText('New password'), 'three sacks of beans')
  await user.click(screen.getByRole('button', { name: 'Change password' }))
  expect(await screen.findByText('Hello, Ram')).toBeInTheDocument()
  expect(requests.findLast(({ path }) => path.endsWith('/change'))?.body).toEqual({
    currentPassword: 'momo-2083',
    newPassword: 'three sacks of beans',
  })
})

// spec: 4.session.9
test('logging out ends the shopper too, and forgets what was begun', async () => {
  const { user, requests } = await openSeller(ok(SELLER), { 'GET /api/seller/logout': ok({}) })
  queryClient.setQueryData(sessions.user.queryKey, aUser())
  sessionStorage.setItem(sellerStorageKey(SELLER, 'new-product'), 'begun')
  await user.click(await screen.findByRole('button', { name: 'Logout' }))
  expect(await screen.findByText('Logout successful!')).toBeInTheDocument()
  expect(sessionStorage.length).toBe(0)
  expect(screen.getByLabelText('Password')).toBeInTheDocument()
  expect(queryClient.getQueryData(sessions.user.queryKey)).toBeNull()
  expect(requests.at(-1)?.path).toBe('/api/seller/logout')
})

// spec: 8.seller.3
test.each([
  ['a no', refused(403, 'cross_site', 'x')],
  ['a fault', serverFailed],
  ['no answer', 'no network' as const],
])('%s to the logout leaves the seller at the dashboard', async (_what, answer) => {
  const { user, requests } = await openSeller(ok(SELLER), { 'GET /api/seller/logout': answer })
  await user.click(await screen.findByRole('button', { name: 'Logout' }))
  expect(await screen.findByText('Logout failed. Please try again.')).toBeInTheDocument()
  expect(screen.getByText('Hello, Ram')).toBeInTheDocument()
  expect(requests.at(-1)?.path).toBe('/api/seller/logout')
})

test('how many cases wait is shown beside their page, and nothing when none does', async () => {
  const count = (open: number) => ({ body: { success: true, message: '', data: [], nextCursor: null, open } })
  await openSeller(ok(SELLER), { 'GET /api/order/get_cases': count(3) })
  expect(await screen.findByRole('link', { name: /Needs attention.*3 open cases/ })).toHaveAttribute(
    'href',
    '/seller/attention',
  )
  expect(screen.getByRole('link', { name: 'Money' })).toHaveAttribute('href', '/seller/money')
})

test.each([[0], [undefined]])('%s open cases are no badge', async (open) => {
  const answer = { body: { success: true, message: '', data: [], nextCursor: null, open } }
  const { requests } = await openSeller(ok(SELLER), {
    'GET /api/order/get_cases': open === undefined ? serverFailed : answer,
  })
  await waitFor(() => expect(requests.some(({ path }) => path.endsWith('/get_cases'))).toBe(true))
  await settled()
  expect(screen.getByRole('link', { name: 'Needs attention' })).toBeInTheDocument()
  expect(screen.queryByTestId('open-cases')).toBeNull()
  expect(screen.queryByTestId('toast')).toBeNull()
})
