import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { queryClient } from '@/api/query-client'
import { sessions } from '@/features/accounts/session'
import { SellerCouponsPage } from '@/pages/seller/coupons-page'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused } from '@/test/server'

const LIST = 'GET /api/coupon/get_coupons'
const ADD = 'POST /api/coupon/add_coupon'
const UPDATE = 'PUT /api/coupon/update_coupon'

const DASHAIN = {
  _id: 'c-1',
  code: 'DASHAIN-10',
  percent: 10,
  maxDiscount: 200,
  amount: null,
  minimum: 500,
  startsAt: '2026-11-17T18:15:00Z',
  endsAt: '2026-11-30T18:15:00Z',
  usesPerCustomer: 1,
  totalUses: 100,
  active: true,
  public: true,
  about: 'For the festival',
  aboutNe: '',
  version: 3,
  state: 'running',
  uses: 12,
  given: 1850.5,
}

async function openPage(table: Parameters<typeof mockServer>[0] = {}) {
  const requests = mockServer({ [LIST]: ok([DASHAIN]), ...table })
  await renderInShop(<SellerCouponsPage />, { at: '/seller/coupons' })
  const sent = (path: string) => requests.find((request) => request.path === path)?.body
  return { user: userEvent.setup(), sent }
}

test('a coupon shows its terms, its state and what it has given', async () => {
  await openPage()
  const coupon = await screen.findByTestId('coupon')
  expect(coupon).toHaveTextContent('DASHAIN-10Active')
  expect(coupon).toHaveTextContent('10% off, up to Rs. 200')
  expect(coupon).toHaveTextContent('On orders of Rs. 500 or more · 1 per customer · On the offers page')
  expect(coupon).toHaveTextContent('12 of 100 orders · Rs. 1850.50 given')
})

test('a coupon is created in the time of Nepal, after its fields were checked', async () => {
  const { user, sent } = await openPage({ [LIST]: ok([]), [ADD]: ok([DASHAIN]) })
  expect(await screen.findByText('There are no coupons yet.')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'New coupon' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New coupon' }))
  await user.click(dialog.getByRole('button', { name: 'Save coupon' }))
  expect(dialog.getByText('Enter a code of 3 to 20 characters: A–Z, 0–9 and hyphens.')).toBeInTheDocument()
  expect(dialog.getByText('Enter a whole number from 1 to 90.')).toBeInTheDocument()
  expect(dialog.getByText('Choose when the coupon ends.')).toBeInTheDocument()
  await user.type(dialog.getByLabelText('Code'), 'tihar')
  await user.selectOptions(dialog.getByLabelText('Type of discount'), 'Amount')
  await user.type(dialog.getByLabelText('Amount (Rs.)'), '50')
  await user.type(dialog.getByLabelText(/^Until/), '2026-12-01T00:00')
  await user.click(dialog.getByRole('checkbox', { name: 'Show on the offers page' }))
  await user.click(dialog.getByRole('button', { name: 'Save coupon' }))
  expect(await screen.findByTestId('coupon')).toBeInTheDocument()
  expect(sent('/api/coupon/add_coupon')).toEqual({
    code: 'tihar',
    percent: null,
    maxDiscount: null,
    amount: 50,
    minimum: 0,
    endsAt: '2026-11-30T18:15:00.000Z',
    usesPerCustomer: 1,
    totalUses: null,
    active: true,
    public: false,
    about: '',
    aboutNe: '',
  })
})

test('a coupon is edited from its present terms, and a refusal is shown at its field', async () => {
  const { user, sent } = await openPage({
    [UPDATE]: refused(422, 'field_invalid', 'Within 366 days.', { field: 'endsAt' }),
  })
  await user.click(await screen.findByRole('button', { name: 'Edit DASHAIN-10' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit coupon DASHAIN-10' }))
  expect(dialog.queryByLabelText('Code')).toBeNull()
  expect(dialog.getByLabelText(/^From$/)).toHaveValue('2026-11-18T00:00')
  await user.clear(dialog.getByLabelText('Percent'))
  await user.type(dialog.getByLabelText('Percent'), '15')
  await user.click(dialog.getByRole('button', { name: 'Save coupon' }))
  await waitFor(() =>
    expect(dialog.getByLabelText(/^Until/)).toHaveAccessibleDescription(/Within 366 days\./),
  )
  expect(sent('/api/coupon/update_coupon')).toMatchObject({
    couponId: 'c-1',
    version: 3,
    percent: 15,
    startsAt: '2026-11-17T18:15:00.000Z',
    about: 'For the festival',
  })
})

test('a coupon is turned off with one press', async () => {
  const { user, sent } = await openPage({ [UPDATE]: ok([{ ...DASHAIN, active: false, state: 'inactive' }]) })
  await user.click(await screen.findByRole('button', { name: 'Turn off DASHAIN-10' }))
  expect(await screen.findByText('Turned off')).toBeInTheDocument()
  expect(sent('/api/coupon/update_coupon')).toMatchObject({ couponId: 'c-1', version: 3, active: false })
})

test('a packer reads the coupons and changes none', async () => {
  queryClient.setQueryData(sessions.seller.queryKey, {
    name: 'Puja',
    permissions: ['products.read'],
  } as never)
  await openPage()
  await screen.findByTestId('coupon')
  expect(screen.queryByRole('button')).toBeNull()
})
