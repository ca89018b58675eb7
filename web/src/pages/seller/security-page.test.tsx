import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { queryClient } from '@/api/query-client'
import { type Seller, sessions } from '@/features/accounts/session'
import type { SellerDevice } from '@/features/staff/security-api'
import { activateLang } from '@/lib/i18n'
import { SellerSecurityPage } from '@/pages/seller/security-page'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused, serverFailed } from '@/test/server'

const LIST = 'GET /api/seller/sessions'
const END = 'POST /api/seller/sessions/end'
const CHANGE = 'POST /api/seller/password/change'
type Table = Parameters<typeof mockServer>[0]

const device = (id: string, changes: Partial<SellerDevice> = {}): SellerDevice => ({
  id,
  current: false,
  device: 'Chrome on Windows',
  ip: '198.51.100.7',
  createdAt: '2026-11-17T02:00:00Z',
  lastSeenAt: '2026-11-17T02:20:00Z',
  ...changes,
})
const DEVICES = [
  device('here', { current: true, device: 'Firefox on Android', ip: '203.0.113.9' }),
  device('office'),
  device('old', { device: '', ip: '' }),
]

afterEach(() => activateLang('en'))

async function openPage(table: Table = {}) {
  queryClient.setQueryData<Seller>(sessions.seller.queryKey, { name: 'Ram', email: 'ram@example.com' })
  const requests = mockServer({ [LIST]: ok(DEVICES), ...table })
  const shop = await renderInShop(<SellerSecurityPage />, { at: '/seller/security' })
  const sent = (end: string) => requests.filter(({ path }) => path.endsWith(end)).map(({ body }) => body)
  return { ...shop, sent, user: userEvent.setup() }
}

async function change(user: ReturnType<typeof userEvent.setup>, current: string, wanted: string) {
  await user.type(screen.getByLabelText('Current password'), current)
  await user.type(screen.getByLabelText('New password'), wanted)
  await user.click(screen.getByRole('button', { name: 'Change password' }))
}

test('the password is changed, and the fields are empty again', async () => {
  const { user, sent } = await openPage({ [CHANGE]: ok({}) })
  await change(user, 'a bottle of oil', 'three sacks of beans')
  expect(await screen.findByTestId('toast')).toHaveTextContent('Your password has been changed.')
  expect(sent('/change')).toEqual([
    { currentPassword: 'a bottle of oil', newPassword: 'three sacks of beans' },
  ])
  expect(screen.getByLabelText('Current password')).toHaveValue('')
})

test.each([
  ['wrong_password', 403, 'Current password'],
  ['password_short', 422, 'New password'],
])('%s is said at its field, which has the focus', async (code, status, label) => {
  const { user } = await openPage({ [CHANGE]: refused(status, code, 'Not this one.') })
  await change(user, 'a bottle of oil', 'beans')
  await waitFor(() => expect(screen.getByLabelText(label)).toHaveFocus())
  expect(screen.getByLabelText(label)).toHaveAccessibleDescription(/Not this one\./)
})

test('a password that cannot be changed now says so, and what was typed stays', async () => {
  const { user } = await openPage({ [CHANGE]: serverFailed })
  await change(user, 'a bottle of oil', 'three sacks of beans')
  expect(await screen.findByTestId('toast')).toBeInTheDocument()
  expect(screen.getByLabelText('New password')).toHaveValue('three sacks of beans')
})

test('the list says which device is this one, where each was begun and when it was used', async () => {
  await openPage()
  const rows = await screen.findAllByRole('listitem')
  expect(rows).toHaveLength(3)
  expect(rows[0]).toHaveTextContent('Firefox on Android')
  expect(rows[0]).toHaveTextContent('This device')
  expect(within(rows[0] as HTMLElement).queryByRole('button')).toBeNull()
  expect(rows[1]).toHaveTextContent('198.51.100.7')
  expect(rows[1]).toHaveTextContent('08:05')
  expect(rows[2]).toHaveTextContent('Unknown device')
  expect(rows[2]).not.toHaveTextContent('IP address')
})

test('another device is signed out', async () => {
  const { user, sent } = await openPage({ [END]: ok({}) })
  await user.click(await screen.findByRole('button', { name: 'Log out of Chrome on Windows' }))
  expect(await screen.findByTestId('toast')).toHaveTextContent('The device has been logged out.')
  expect(sent('/end')).toEqual([{ id: 'office' }])
  expect(screen.getAllByRole('listitem')).toHaveLength(2)
})

test('some time after the login the password is asked for, until it is right', async () => {
  const { user, sent } = await openPage({
    [END]: ({ body }) => {
      const { password } = body as { password?: string }
      if (password === undefined)
        return refused(403, 'password_needed', 'Please enter your password to do this.')
      return password === 'right'
        ? ok({})
        : refused(403, 'wrong_password', 'The current password is incorrect.')
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Log out of Chrome on Windows' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Log out of Chrome on Windows' }))
  await user.type(dialog.getByLabelText('Current password'), 'wrong')
  await user.click(dialog.getByRole('button', { name: 'Log out' }))
  await waitFor(() =>
    expect(dialog.getByLabelText('Current password')).toHaveAccessibleDescription(/is incorrect/),
  )
  await user.clear(dialog.getByLabelText('Current password'))
  await user.type(dialog.getByLabelText('Current password'), 'right')
  await user.click(dialog.getByRole('button', { name: 'Log out' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent('/end')).toEqual([
    { id: 'office' },
    { id: 'office', password: 'wrong' },
    { id: 'office', password: 'right' },
  ])
})

test('all others are signed out after a question', async () => {
  const { user, sent } = await openPage({ [END]: ok({}) })
  await user.click(await screen.findByRole('button', { name: 'Log out all other devices' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Log out all other devices?' }))
  expect(sent('/end')).toEqual([])
  await user.click(dialog.getByRole('button', { name: 'Log out all other devices' }))
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1))
  expect(sent('/end')).toEqual([{}])
  expect(screen.queryByRole('button', { name: 'Log out all other devices' })).toBeNull()
})

test('a device that is gone already leaves the list', async () => {
  let gone = false
  const { user } = await openPage({
    [LIST]: () => ok(gone ? DEVICES.slice(0, 1) : DEVICES),
    [END]: () => {
      gone = true
      return refused(404, 'session_not_found', 'This device is no longer logged in.')
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Log out of Chrome on Windows' }))
  expect(await screen.findByTestId('toast')).toHaveTextContent('no longer logged in')
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1))
})

test('a session that ended elsewhere shows the login', async () => {
  const { user } = await openPage({ [CHANGE]: refused(401, 'signed_out', 'Please log in.') })
  await change(user, 'a bottle of oil', 'three sacks of beans')
  await waitFor(() => expect(queryClient.getQueryData(sessions.seller.queryKey)).toBeNull())
})
