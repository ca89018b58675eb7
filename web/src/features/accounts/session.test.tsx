import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '@/api/query-client'
import { HeaderAccount } from '@/features/accounts/header-account'
import { sessions, startSessionChecks } from '@/features/accounts/session'
import { aUser } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused, serverFailed } from '@/test/server'
import { holdTime, pass } from '@/test/time'

const BOTH = ['/api/user/isAuth', '/api/seller/checkSeller']
const SIGNED_OUT = {
  'GET /api/user/isAuth': refused(401, 'signed_out', 'Please log in.'),
  'GET /api/seller/checkSeller': refused(401, 'signed_out', 'Please log in.'),
}
const ERROR = 'Internal server error. Please try again later.'

let hints = ''
beforeEach(() => {
  hints = ''
  vi.spyOn(document, 'cookie', 'get').mockImplementation(() => hints)
})

// spec: 4.session.3
test('without a mark nobody is asked until the visitor does something', async () => {
  holdTime()
  const requests = mockServer(SIGNED_OUT)
  startSessionChecks()
  await renderInShop(<HeaderAccount />)
  expect(screen.getByRole('button', { name: 'Login' })).toBeInTheDocument()
  await pass(11_000)
  expect(requests).toEqual([])
  window.dispatchEvent(new Event('pointerdown'))
  await waitFor(() => expect(requests.map(({ path }) => path)).toEqual(BOTH))
  window.dispatchEvent(new Event('keydown'))
  await pass(13_000)
  expect(requests).toHaveLength(2)
  expect(screen.queryByTestId('toast')).toBeNull()
})

test('somebody who only reads is asked about after 12 seconds', async () => {
  holdTime()
  const requests = mockServer(SIGNED_OUT)
  startSessionChecks()
  await pass(12_100)
  expect(requests.map(({ path }) => path)).toEqual(BOTH)
})

// spec: 4.session.1, 7.load.1
test('a mark has the question asked at once, and the person appears in place of Login', async () => {
  hints = '__Host-lang=en; __Host-session=shopper'
  const requests = mockServer({ ...SIGNED_OUT, 'GET /api/user/isAuth': ok(aUser()) })
  startSessionChecks()
  await renderInShop(<HeaderAccount />)
  expect(screen.queryByRole('button', { name: 'Login' })).toBeNull()
  expect(await screen.findByRole('button', { name: "Sita Sharma's account" })).toHaveTextContent('SS')
  expect(requests.map(({ path }) => path)).toEqual(['/api/user/isAuth'])
})

// spec: 4.session.2
test('the seller is asked about at once where there is a mark of one', async () => {
  hints = '__Host-seller_session=1'
  const requests = mockServer({
    ...SIGNED_OUT,
    'GET /api/seller/checkSeller': ok({ name: 'R', email: 'r@x' }),
  })
  startSessionChecks()
  await waitFor(() =>
    expect(queryClient.getQueryData(sessions.seller.queryKey)).toEqual({ name: 'R', email: 'r@x' }),
  )
  expect(requests.map(({ path }) => path)).toEqual(['/api/seller/checkSeller'])
})

test.each([
  ['no connection', 'no network' as const],
  ['a busy server', () => new Response(null, { status: 503 })],
])('%s is not called a server error', async (_what, answer) => {
  hints = 'session=shopper'
  mockServer({ ...SIGNED_OUT, 'GET /api/user/isAuth': answer })
  startSessionChecks()
  await renderInShop(<HeaderAccount />)
  expect(await screen.findByTestId('toast')).toHaveTextContent(
    'We could not reach the shop. Please try again in a moment.',
  )
})

// spec: 8.session.1, 8.session.2
test.each([
  ['user', '__Host-session=shopper', '/api/user/isAuth'],
  ['seller', '__Host-seller_session=1', '/api/seller/checkSeller'],
])('a fault in the %s check is said, and the visitor stays signed out', async (_who, mark, path) => {
  hints = mark
  const requests = mockServer({ ...SIGNED_OUT, [`GET ${path}`]: serverFailed })
  startSessionChecks()
  await renderInShop(<HeaderAccount />)
  expect(await screen.findByTestId('toast')).toHaveTextContent(ERROR)
  expect(await screen.findByRole('button', { name: 'Login' })).toBeInTheDocument()
  expect(requests.map((question) => question.path)).toContain(path)
})

// spec: 4.session.1, 4.session.3
test('a session that has ended is silent', async () => {
  // The cookie's name before it had its prefix.
  hints = 'session=shopper'
  const requests = mockServer(SIGNED_OUT)
  startSessionChecks()
  await renderInShop(<HeaderAccount />)
  expect(await screen.findByRole('button', { name: 'Login' })).toBeInTheDocument()
  expect(requests).toHaveLength(1)
  expect(screen.queryByTestId('toast')).toBeNull()
})
