import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { queryClient } from '@/api/query-client'
import { type Seller, sessions } from '@/features/accounts/session'
import { deviceLocked } from '@/features/staff/session-guard'
import { SellerSecurityPage } from '@/pages/seller/security-page'
import { SellerLayout } from '@/pages/seller/seller-layout'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused } from '@/test/server'
import { settled } from '@/test/settled'

const CHECK = 'GET /api/seller/checkSeller'
type Table = Parameters<typeof mockServer>[0]
const SELLER: Seller = { name: 'Prem', email: 'prem@example.com' }
const PACKER = {
  ...SELLER,
  role: 'packer',
  permissions: ['account.own', 'orders.read', 'orders.change', 'products.read'],
}
const RIDER = { ...SELLER, role: 'rider', permissions: ['account.own', 'deliveries.own'] }

afterEach(() => deviceLocked.set(false))

async function openDashboard(table: Table, at = '/seller') {
  const requests = mockServer(table)
  const shop = await renderInShop(<SellerLayout />, { at })
  return { ...shop, requests, user: userEvent.setup() }
}

test('the navigation of a packer has what a packer may open, and nothing else', async () => {
  const { requests } = await openDashboard({ [CHECK]: ok(PACKER) })
  expect(await screen.findByText('Hello, Prem')).toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'Orders' })).toBeInTheDocument()
  for (const name of ['Money', 'Staff', 'Settings', 'Categories', 'My deliveries'])
    expect(screen.queryByRole('link', { name })).toBeNull()
  await settled()
  expect(requests.some(({ path }) => path.endsWith('/get_cases'))).toBe(false)
})

test.each([
  ['/seller/import', 'Product List'],
  ['/seller/delivery', 'Orders'],
])('%s belongs to the entry %s', async (at, entry) => {
  await openDashboard({ [CHECK]: ok(PACKER) }, at)
  expect(await screen.findByText('Hello, Prem')).toBeInTheDocument()
  const here = screen.getAllByRole('link', { current: true }).map(({ textContent }) => textContent)
  expect(here).toEqual([entry])
})

test('a page that is not part of the role says so', async () => {
  await openDashboard({ [CHECK]: ok(PACKER) }, '/seller/money')
  expect(
    await screen.findByRole('heading', { name: 'This page is not part of your role' }),
  ).toBeInTheDocument()
})

test('a rider begins with the deliveries', async () => {
  const { address } = await openDashboard({
    [CHECK]: ok(RIDER),
    'GET /api/order/get_my_deliveries': ok([]),
  })
  await waitFor(() => expect(address()).toBe('/seller/deliveries'))
  expect(await screen.findByRole('link', { name: 'My deliveries' })).toBeInTheDocument()
  expect(screen.queryByRole('link', { name: 'Orders' })).toBeNull()
})

test('a locked device asks for the PIN until it is right', async () => {
  let locked = true
  const { user, requests } = await openDashboard({
    [CHECK]: () => (locked ? refused(423, 'locked', 'Locked.') : ok(PACKER)),
    'POST /api/seller/device/unlock': ({ body }) => {
      locked = (body as { pin: string }).pin !== '2580'
      return locked ? refused(403, 'wrong_pin', 'Wrong PIN. 4 attempts left.') : ok({})
    },
  })
  const pin = await screen.findByLabelText('PIN')
  expect(screen.queryByText('Hello, Prem')).toBeNull()
  await user.type(pin, '1111')
  await user.click(screen.getByRole('button', { name: 'Unlock' }))
  await waitFor(() => expect(pin).toHaveAccessibleDescription(/4 attempts left/))
  await user.type(pin, '२५८०')
  await user.click(screen.getByRole('button', { name: 'Unlock' }))
  expect(await screen.findByText('Hello, Prem')).toBeInTheDocument()
  expect(requests.findLast(({ path }) => path.endsWith('/unlock'))?.body).toEqual({ pin: '2580' })
})

test('a device of the shop is remembered at the login', async () => {
  const { user, requests } = await openDashboard({
    [CHECK]: refused(401, 'signed_out', ''),
    'POST /api/seller/login': ok(PACKER),
    'POST /api/seller/device/remember': ok({}),
  })
  await user.type(await screen.findByLabelText('Email'), 'prem@example.com')
  await user.type(screen.getByLabelText('Password'), 'momo-2083')
  await user.click(screen.getByRole('checkbox', { name: /shop’s device/ }))
  await user.click(screen.getByRole('button', { name: 'Login' }))
  await user.type(await screen.findByLabelText('PIN'), '2580')
  await user.click(screen.getByRole('button', { name: 'Remember this device' }))
  expect(await screen.findByText('Hello, Prem')).toBeInTheDocument()
  expect(requests.find(({ path }) => path.endsWith('/remember'))?.body).toEqual({ pin: '2580' })
  expect(queryClient.getQueryData<Seller>(sessions.seller.queryKey)?.deviceRemembered).toBe(true)
})

test('a required second factor is set up before anything else', async () => {
  const { user } = await openDashboard({
    [CHECK]: ok({ ...SELLER, role: 'owner', secondFactor: false, secondFactorSetupNeeded: true }),
    'POST /api/seller/second_factor/start': ok({
      secret: 'JBSWY3DPEHPK3PXP',
      otpauthUrl: 'otpauth://totp/Thunse:prem?secret=JBSWY3DPEHPK3PXP&issuer=Thunse',
    }),
    'POST /api/seller/second_factor/set_up': ({ body }) =>
      (body as { code: string }).code === '123456'
        ? ok({ backupCodes: ['AAAA-BBBB', 'CCCC-DDDD'] })
        : refused(401, 'wrong_code', 'Wrong code.'),
  })
  await user.click(await screen.findByRole('button', { name: 'Set up' }))
  expect(await screen.findByRole('img', { name: /QR code/ })).toBeInTheDocument()
  expect(screen.getByText('JBSW Y3DP EHPK 3PXP')).toBeInTheDocument()
  const code = screen.getByLabelText('Code')
  await user.type(code, '000000')
  await user.click(screen.getByRole('button', { name: 'Turn on' }))
  await waitFor(() => expect(code).toHaveAccessibleDescription(/Wrong code\./))
  await user.clear(code)
  await user.type(code, '123456')
  await user.click(screen.getByRole('button', { name: 'Turn on' }))
  expect(await screen.findByText('CCCC-DDDD')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'I have saved them' }))
  expect(await screen.findByText('Hello, Prem')).toBeInTheDocument()
})

test('some time after the login the password is asked for before a secret is shown', async () => {
  queryClient.setQueryData<Seller>(sessions.seller.queryKey, { ...SELLER, secondFactor: false })
  const requests = mockServer({
    'GET /api/seller/sessions': ok([]),
    'POST /api/seller/second_factor/start': ({ body }) =>
      (body as { password?: string }).password
        ? ok({ secret: 'JBSWY3DP', otpauthUrl: 'otpauth://totp/a?secret=JBSWY3DP' })
        : refused(403, 'password_needed', 'Your password, please.'),
  })
  await renderInShop(<SellerSecurityPage />, { at: '/seller/security' })
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Set up' }))
  await waitFor(() => expect(screen.getAllByLabelText('Current password')).toHaveLength(2))
  await user.type(screen.getAllByLabelText('Current password')[1] as HTMLElement, 'a bottle of oil')
  await user.click(screen.getByRole('button', { name: 'Set up' }))
  expect(await screen.findByText('JBSW Y3DP')).toBeInTheDocument()
  expect(requests.findLast(({ path }) => path.endsWith('/start'))?.body).toEqual({
    password: 'a bottle of oil',
  })
})
