import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { queryClient } from '@/api/query-client'
import { type Seller, sessions } from '@/features/accounts/session'
import type { StaffMember } from '@/features/staff/staff-api'
import { SellerLayout } from '@/pages/seller/seller-layout'
import { StaffPage } from '@/pages/seller/staff-page'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused } from '@/test/server'

const LIST = 'GET /api/seller/staff'
const INVITE = 'POST /api/seller/staff/invite'
const ROLE = 'PUT /api/seller/staff/role'
type Table = Parameters<typeof mockServer>[0]

const member = (id: string, changes: Partial<StaffMember> = {}): StaffMember => ({
  _id: id,
  name: id,
  email: `${id.toLowerCase()}@example.com`,
  role: 'packer',
  secondFactor: false,
  disabled: false,
  current: false,
  createdAt: '2026-11-17T02:00:00Z',
  ...changes,
})
const STAFF = {
  members: [
    member('Sita', { role: 'owner', current: true, secondFactor: true }),
    member('Gita', { role: 'manager', secondFactor: true }),
    member('Hari'),
  ],
  invitations: [
    {
      _id: 'i-1',
      name: 'Rita',
      email: 'rita@example.com',
      role: 'rider',
      expiresAt: '2026-11-20T02:00:00Z',
    },
  ],
}
const OWNER: Seller = {
  name: 'Sita',
  email: 'sita@example.com',
  role: 'owner',
  permissions: ['staff.read', 'staff.manage'],
}

async function openPage(table: Table = {}, seller = OWNER) {
  queryClient.setQueryData<Seller>(sessions.seller.queryKey, seller)
  const requests = mockServer({ [LIST]: ok(STAFF), ...table })
  const shop = await renderInShop(<StaffPage />, { at: '/seller/staff' })
  await screen.findAllByTestId('member')
  const sent = (end: string) => requests.filter(({ path }) => path.endsWith(end)).map(({ body }) => body)
  return { ...shop, sent, user: userEvent.setup() }
}

test('an owner sees everybody, with the own row only to read', async () => {
  await openPage()
  const [sita, gita, hari] = screen.getAllByTestId('member') as [HTMLElement, HTMLElement, HTMLElement]
  expect(sita).toHaveTextContent('You')
  expect(within(sita).queryByRole('combobox')).toBeNull()
  expect(within(gita).getByRole('combobox', { name: 'Role of Gita' })).toHaveValue('manager')
  expect(within(gita).getByRole('button', { name: 'Reset two-step login' })).toBeInTheDocument()
  expect(within(hari).queryByRole('button', { name: 'Reset two-step login' })).toBeNull()
  expect(screen.getByTestId('invitation')).toHaveTextContent('rita@example.com')
})

test('a person is invited with a role', async () => {
  const { user, sent } = await openPage({ [INVITE]: ok({}) })
  await user.type(screen.getByLabelText('Name'), 'Maya')
  await user.type(screen.getByLabelText('Email'), 'maya@example.com')
  await user.selectOptions(screen.getByLabelText('Role'), 'rider')
  await user.click(screen.getByRole('button', { name: 'Send invitation' }))
  expect(await screen.findByTestId('toast')).toHaveTextContent('We sent an email with a link.')
  expect(sent('/invite')).toEqual([{ email: 'maya@example.com', name: 'Maya', role: 'rider' }])
  expect(screen.getByLabelText('Email')).toHaveValue('')
})

test('an address that has an account is refused at its field', async () => {
  const { user } = await openPage({ [INVITE]: refused(409, 'member_exists', 'There is an account.') })
  await user.type(screen.getByLabelText('Name'), 'Hari')
  await user.type(screen.getByLabelText('Email'), 'hari@example.com')
  await user.click(screen.getByRole('button', { name: 'Send invitation' }))
  await waitFor(() =>
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription(/There is an account\./),
  )
})

test('a role is changed after a question, because the person is logged out', async () => {
  const { user, sent } = await openPage({ [ROLE]: ok({}) })
  await user.selectOptions(screen.getByLabelText('Role of Hari'), 'rider')
  const dialog = within(await screen.findByRole('dialog', { name: 'Change the role of Hari?' }))
  expect(sent('/role')).toEqual([])
  await user.click(dialog.getByRole('button', { name: 'Change role' }))
  await waitFor(() => expect(sent('/role')).toEqual([{ id: 'Hari', role: 'rider' }]))
})

test('a manager manages packers and riders only', async () => {
  await openPage({}, { ...OWNER, role: 'manager' })
  const [, gita, hari] = screen.getAllByTestId('member') as [HTMLElement, HTMLElement, HTMLElement]
  expect(within(gita).queryByRole('combobox')).toBeNull()
  const roles = within(within(hari).getByRole('combobox')).getAllByRole('option')
  expect(roles.map((option) => option.textContent)).toEqual(['Packer', 'Rider'])
})

test('a call that needs a code asks for it and is repeated', async () => {
  const seller = { ...OWNER, role: 'manager', secondFactor: true }
  queryClient.setQueryData<Seller>(sessions.seller.queryKey, seller)
  let proved = false
  const requests = mockServer({
    [LIST]: ok(STAFF),
    [ROLE]: () => (proved ? ok({}) : refused(403, 'second_factor_needed', 'A code, please.')),
    'POST /api/seller/second_factor/confirm': ({ body }) => {
      proved = (body as { code: string }).code === '123456'
      return proved ? ok({}) : refused(401, 'wrong_code', 'Wrong code.')
    },
  })
  await renderInShop(
    <>
      <SellerLayout />
      <StaffPage />
    </>,
    { at: '/seller/staff' },
  )
  const user = userEvent.setup()
  await user.selectOptions(await screen.findByLabelText('Role of Hari'), 'rider')
  const question = within(await screen.findByRole('dialog', { name: 'Change the role of Hari?' }))
  await user.click(question.getByRole('button', { name: 'Change role' }))
  const code = within(await screen.findByRole('dialog', { name: 'Enter a code' }))
  await user.type(code.getByLabelText('Code'), '000000')
  await user.click(code.getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(code.getByLabelText('Code')).toHaveAccessibleDescription(/Wrong code\./))
  await user.clear(code.getByLabelText('Code'))
  await user.type(code.getByLabelText('Code'), '123456')
  await user.click(code.getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const changes = requests.filter(({ path }) => path.endsWith('/staff/role'))
  expect(changes.map(({ body }) => body)).toEqual([
    { id: 'Hari', role: 'rider' },
    { id: 'Hari', role: 'rider' },
  ])
})
