import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { SellerDeliveryZonesPage } from '@/pages/seller/delivery-zones-page'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused } from '@/test/server'

const RULES = 'GET /api/delivery/get_delivery_rules'
const TODAY = '2026-11-17'

const CITY = {
  _id: 'z-1',
  name: 'City',
  nameNe: 'सहर',
  fee: 50,
  freeAbove: 2000,
  minimum: 300,
  isActive: true,
  areas: [{ district: 'Kathmandu', municipality: 'Kathmandu', wards: [10, 31] }],
  windows: [
    {
      _id: 'w-1',
      weekdays: [0, 1, 2, 3, 4, 5, 6],
      starts: '07:00',
      ends: '09:00',
      cutoffMinutes: 780,
      capacity: 20,
    },
  ],
  version: 'v1',
}
const rules = (zones: object[] = [CITY], closedDays: object[] = []) => ok({ zones, closedDays, today: TODAY })

async function openPage(table: Parameters<typeof mockServer>[0] = {}) {
  const requests = mockServer({ [RULES]: rules(), ...table })
  await renderInShop(<SellerDeliveryZonesPage />, { at: '/seller/delivery-zones' })
  await screen.findByTestId('closed-today')
  return {
    user: userEvent.setup(),
    sent: (method: string) => requests.filter((request) => request.method === method),
  }
}

test('a zone shows its fees, wards and delivery times', async () => {
  await openPage()
  const zone = await screen.findByTestId('zone')
  expect(zone).toHaveTextContent('Rs. 50.00 delivery · free above Rs. 2000.00 · minimum Rs. 300.00')
  expect(zone).toHaveTextContent('Kathmandu: wards 10, 31')
  expect(zone).toHaveTextContent('Every day, 07:00–09:00, at most 20 orders, orders until 13 h before')
})

test('one press closes the shop for today, and another opens it again', async () => {
  const { user, sent } = await openPage({ 'POST /api/delivery/add_closed_day': ok({ _id: 'c-1' }) })
  await user.click(screen.getByRole('button', { name: 'Close for today' }))
  await waitFor(() => expect(sent('POST').map(({ body }) => body)).toEqual([{ day: TODAY }]))
})

test('a closed day can be opened again', async () => {
  const closed = { _id: 'c-1', day: TODAY, weekday: null, reason: 'Tihar', reasonNe: '' }
  const { user, sent } = await openPage({
    [RULES]: rules([], [closed, { ...closed, _id: 'c-2', day: null, weekday: 6, reason: '' }]),
    'DELETE /api/delivery/delete_closed_day/c-1': ok({}),
  })
  const days = screen.getAllByTestId('closed-day')
  expect(days.map((day) => day.textContent)).toEqual(['17 Nov 2026 TiharOpen again', 'Every Sat Open again'])
  await user.click(screen.getByRole('button', { name: 'Open again today' }))
  await waitFor(() =>
    expect(sent('DELETE').map(({ path }) => path)).toEqual(['/api/delivery/delete_closed_day/c-1']),
  )
})

test('a new zone is made of the official list, with all wards or some', async () => {
  const { user, sent } = await openPage({ [RULES]: rules([]), 'POST /api/delivery/add_zone': ok(CITY) })
  await user.click(screen.getByRole('button', { name: 'Add zone' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByLabelText(/^Name \(required\)/), 'Ring')
  await user.type(dialog.getByLabelText(/^Delivery fee/), '80')
  await user.type(dialog.getByLabelText('Add a municipality'), 'Lalitpur')
  await user.click(await dialog.findByRole('button', { name: /Lalitpur, Lalitpur district/ }))
  const area = within(dialog.getByTestId('zone-area'))
  await user.click(area.getByRole('checkbox', { name: 'All 29 wards' }))
  await user.click(area.getByRole('checkbox', { name: 'Ward 3' }))
  await user.click(dialog.getByRole('button', { name: 'Save zone' }))
  await waitFor(() => expect(sent('POST')).toHaveLength(1))
  expect(sent('POST')[0]?.body).toMatchObject({
    name: 'Ring',
    fee: 80,
    minimum: 0,
    isActive: true,
    areas: [{ district: 'Lalitpur', municipality: 'Lalitpur', wards: [3] }],
    windows: [
      { weekdays: [0, 1, 2, 3, 4, 5, 6], starts: '07:00', ends: '10:00', cutoffMinutes: 720, capacity: 20 },
    ],
  })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a form without a place is not sent, and a refusal is shown at its field', async () => {
  const taken = refused(409, 'area_taken', 'Ward 10 of Kathmandu is already in the zone “City”.', {
    field: 'areas',
  })
  const { user, sent } = await openPage({ 'PUT /api/delivery/update_zone/z-1': taken })
  await user.click(screen.getByRole('button', { name: 'Add zone' }))
  await user.click(await screen.findByRole('button', { name: 'Save zone' }))
  expect((await screen.findAllByText('Add at least one municipality.')).length).toBeGreaterThan(1)
  expect(sent('POST')).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Close' }))

  await user.click(screen.getByRole('button', { name: 'Edit City' }))
  await user.click(await screen.findByRole('button', { name: 'Save zone' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect((await dialog.findAllByText(/already in the zone/)).length).toBeGreaterThan(0)
  expect(sent('PUT')[0]?.body).toMatchObject({ version: 'v1', windows: [{ _id: 'w-1' }] })
})

test('a zone is deleted after a question', async () => {
  const { user, sent } = await openPage({ 'DELETE /api/delivery/delete_zone/z-1': ok({}) })
  await user.click(within(await screen.findByTestId('zone')).getByRole('button', { name: 'Delete' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(sent('DELETE')).toHaveLength(1))
})
