import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { queryClient } from '@/api/query-client'
import { AuthDialog, authDialog } from '@/features/accounts/auth-dialog'
import { ProfileView } from '@/features/accounts/profile-view'
import { sessions } from '@/features/accounts/session'
import { settings } from '@/lib/first-data'
import { aUser } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused } from '@/test/server'

type Table = Parameters<typeof mockServer>[0]
const WRONG = refused(403, 'wrong_code', 'The code is wrong or has expired.')

beforeEach(() => {
  settings.phoneSignIn = true
})
afterEach(() => {
  delete settings.phoneSignIn
  authDialog.close()
})

async function openLogin(table: Table) {
  const requests = mockServer({
    'POST /api/user/phone/send_login_code': ok({ token: 't-1', expiresInSeconds: 300 }),
    ...table,
  })
  authDialog.show('login')
  await renderInShop(<AuthDialog />)
  const user = userEvent.setup()
  return { requests, user }
}

test('a code by SMS logs in', async () => {
  const { requests, user } = await openLogin({ 'POST /api/user/phone/login': ok(aUser()) })
  await user.click(await screen.findByRole('button', { name: 'Log in with a code by SMS' }))
  await user.type(await screen.findByLabelText('Phone'), '+977 984-1234567')
  await user.click(screen.getByRole('button', { name: 'Send code' }))
  const field = await screen.findByLabelText('Code')
  expect(field).toHaveAttribute('autocomplete', 'one-time-code')
  await user.type(field, '123456')
  await user.click(screen.getByRole('button', { name: 'Login' }))

  await waitFor(() => expect(queryClient.getQueryData(sessions.user.queryKey)).toMatchObject(aUser()))
  expect(requests.map(({ path, body }) => [path, body])).toEqual([
    ['/api/user/phone/send_login_code', { phone: '9841234567' }],
    ['/api/user/phone/login', { token: 't-1', code: '123456' }],
  ])
})

test('a wrong code is said above the button, and another one can be sent', async () => {
  const { requests, user } = await openLogin({ 'POST /api/user/phone/login': WRONG })
  await user.click(await screen.findByRole('button', { name: 'Log in with a code by SMS' }))
  await user.type(await screen.findByLabelText('Phone'), '9841234567')
  await user.click(screen.getByRole('button', { name: 'Send code' }))
  await user.type(await screen.findByLabelText('Code'), '000000')
  await user.click(screen.getByRole('button', { name: 'Login' }))
  expect((await screen.findAllByText('The code is wrong or has expired.')).length).toBeGreaterThan(0)

  await user.click(screen.getByRole('button', { name: 'Send another code' }))
  await waitFor(() => expect(requests.filter(({ path }) => path.endsWith('send_login_code'))).toHaveLength(2))
})

test('without a provider nothing is offered', async () => {
  delete settings.phoneSignIn
  await openLogin({})
  expect(await screen.findByLabelText('Password')).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Log in with a code by SMS' })).toBeNull()
})

test('the profile confirms the number with a code', async () => {
  const requests = mockServer({
    'POST /api/user/phone/send_code': ok({ token: 't-2', expiresInSeconds: 300 }),
    'POST /api/user/phone/confirm': ok({ ...aUser(), phoneVerified: true }),
  })
  await renderInShop(<ProfileView user={aUser()} editRef={{ current: null }} onEdit={() => {}} />)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Confirm phone number' }))
  await user.click(await screen.findByRole('button', { name: 'Send code' }))
  await user.type(await screen.findByLabelText('Code'), '123456')
  await user.click(screen.getByRole('button', { name: 'Confirm' }))

  expect(await screen.findByTestId('toast')).toHaveTextContent('Your phone number is confirmed.')
  expect(requests.at(-1)?.body).toEqual({ token: 't-2', code: '123456' })
})

test('a confirmed number says so', async () => {
  mockServer({})
  await renderInShop(
    <ProfileView user={{ ...aUser(), phoneVerified: true }} editRef={{ current: null }} onEdit={() => {}} />,
  )
  expect(await screen.findByText('Confirmed')).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Confirm phone number' })).toBeNull()
})
