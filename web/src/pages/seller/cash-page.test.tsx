import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { CashSettlement, CashTransaction, RiderCash } from '@/features/cash/api'
import { SellerCashPage } from '@/pages/seller/cash-page'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused } from '@/test/server'

const hari: RiderCash = { _id: 'hari', name: 'Hari', balance: 670, float: 1000, closedAt: null }
const closed: CashSettlement = {
  _id: 's',
  rider: 'Hari',
  day: '2026-11-17',
  expected: 670,
  counted: 650,
  note: 'a torn note',
  closedBy: 'Sita',
  closedAt: '2026-11-17T13:00:00Z',
}
const line: CashTransaction = {
  _id: 7,
  kind: 'collected',
  at: '2026-11-17T09:00:00Z',
  note: '',
  by: 'Hari',
  orderId: 'K7M2Q9XTRB',
  amount: 585,
  float: 0,
  difference: 0,
}

const open = async (answers: Parameters<typeof mockServer>[0]) => {
  const requests = mockServer({
    'GET /api/cash/get_riders': ok([hari]),
    'GET /api/cash/get_settlements': ok([closed]),
    ...answers,
  })
  await renderInShop(<SellerCashPage />, { at: '/seller/cash' })
  return { requests, user: userEvent.setup(), rider: within(await screen.findByTestId('rider')) }
}

test('a manager closes the day of a rider and explains what is missing', async () => {
  const { requests, user, rider } = await open({
    'POST /api/cash/settle': ok({ ...hari, balance: 0 }),
  })
  expect(rider.getByTestId('balance')).toHaveTextContent('670')
  await user.click(rider.getByRole('button', { name: 'Close the day' }))
  await user.type(rider.getByLabelText(/Cash counted/), '650')
  expect(rider.getByTestId('difference')).toHaveTextContent('20 missing')
  await user.type(rider.getByLabelText(/Note/), 'a torn note')
  await user.click(rider.getAllByRole('button', { name: 'Close the day' })[1] as HTMLElement)
  expect(await screen.findByTestId('toast')).toHaveTextContent('The day has been closed.')
  expect(requests.find(({ path }) => path === '/api/cash/settle')?.body).toEqual({
    riderId: 'hari',
    expected: 670,
    counted: 650,
    note: 'a torn note',
  })
})

test('a balance that has changed in the meantime is said and loaded again', async () => {
  const { requests, user, rider } = await open({
    'POST /api/cash/settle': refused(409, 'balance_changed', 'The balance has changed.', { balance: 1255 }),
  })
  await user.click(rider.getByRole('button', { name: 'Close the day' }))
  await user.type(rider.getByLabelText(/Cash counted/), '६७०')
  expect(rider.queryByTestId('difference')).not.toBeInTheDocument()
  await user.click(rider.getAllByRole('button', { name: 'Close the day' })[1] as HTMLElement)
  expect(await screen.findByTestId('toast')).toHaveTextContent('The balance has changed.')
  expect(requests.filter(({ path }) => path === '/api/cash/get_riders')).toHaveLength(2)
})

test('a float is recorded with a key of its own', async () => {
  const { requests, user, rider } = await open({ 'POST /api/cash/record': ok(hari) })
  await user.click(rider.getByRole('button', { name: 'Record cash' }))
  await user.selectOptions(rider.getByLabelText('What to record'), 'Float given')
  await user.type(rider.getByLabelText('Amount in rupees'), '1,000')
  await user.click(rider.getAllByRole('button', { name: 'Record cash' })[1] as HTMLElement)
  expect(await screen.findByTestId('toast')).toHaveTextContent('The cash has been recorded.')
  expect(requests.find(({ path }) => path === '/api/cash/record')?.body).toEqual({
    riderId: 'hari',
    kind: 'float_given',
    amount: 1000,
    note: '',
    key: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
})

test('the history and the closed days say who, when and how much', async () => {
  const { user, rider } = await open({ 'GET /api/cash/get_ledger': ok([line]) })
  await user.click(rider.getByRole('button', { name: 'History' }))
  expect(await rider.findByTestId('cash-line')).toHaveTextContent(/Collected #K7M2Q9XTRB.*Hari.*585/)
  const settlement = await screen.findByTestId('settlement')
  expect(settlement).toHaveTextContent(/Signed off by Sita/)
  expect(settlement).toHaveTextContent(/a torn note.*650.*of .*670/)
})

test('without riders the page says where to invite one', async () => {
  mockServer({ 'GET /api/cash/get_riders': ok([]), 'GET /api/cash/get_settlements': ok([]) })
  await renderInShop(<SellerCashPage />, { at: '/seller/cash' })
  expect(await screen.findByText('No riders yet')).toBeInTheDocument()
})
