import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { settings } from '@/lib/first-data'
import { activateLang } from '@/lib/i18n'
import { SellerAlertsPage } from '@/pages/seller/alerts-page'
import { stubPush } from '@/test/push'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused } from '@/test/server'

const GET = 'GET /api/seller/alerts/preferences'
const PUT = 'PUT /api/seller/alerts/preferences'
const CHANNELS = { push: true, email: true, sms: false, phone: '' }
type Table = Parameters<typeof mockServer>[0]

beforeEach(() => {
  settings.pushKey = 'BKey'
})
afterEach(() => {
  delete settings.pushKey
  localStorage.clear()
  return activateLang('en')
})

async function openPage(table: Table = {}, more: object = {}) {
  const requests = mockServer({
    [GET]: ok({ channels: CHANNELS, devices: [], smsAvailable: true, ...more }),
    [PUT]: ({ body }) => ok(body),
    'POST /api/seller/alerts/subscribe': ok({}),
    'POST /api/alerts/unsubscribe_device': ok({}),
    ...table,
  })
  const shop = await renderInShop(<SellerAlertsPage />, { at: '/seller/alerts' })
  const sent = (method: string, end: string) =>
    requests.filter((each) => each.method === method && each.path.endsWith(end)).map(({ body }) => body)
  return { ...shop, sent, user: userEvent.setup() }
}

test('the browser is asked only after a press, and the subscription is sent to the shop', async () => {
  const push = stubPush()
  const { user, sent } = await openPage()
  const button = await screen.findByRole('button', { name: 'Turn on notifications' })
  await waitFor(() => expect(button).toBeEnabled())
  expect(push.asked).toBe(0)

  await user.click(button)

  await waitFor(() => expect(sent('POST', '/subscribe')).toHaveLength(1))
  expect(push.asked).toBe(1)
  expect(sent('POST', '/subscribe')[0]).toEqual({
    endpoint: 'https://push.example/1',
    keys: { p256dh: 'p', auth: 'a' },
  })
})

test('a device that is on can be turned off', async () => {
  stubPush({ subscribed: true })
  const device = {
    id: 'd-1',
    endpoint: 'https://push.example/1',
    device: '',
    createdAt: '2026-11-17T02:00:00Z',
    lastSuccessAt: null,
  }
  const { user, sent } = await openPage({}, { devices: [device] })
  expect(await screen.findByText('Notifications are on for this device.')).toBeInTheDocument()

  await user.click(screen.getByRole('button', { name: 'Turn off on this device' }))

  await waitFor(() =>
    expect(sent('POST', '/unsubscribe_device')).toEqual([
      { endpoint: 'https://push.example/1', staff: true },
    ]),
  )
})

test('a person who refuses is told how to change their mind', async () => {
  stubPush({ answer: 'denied' })
  const { user, sent } = await openPage()
  const button = await screen.findByRole('button', { name: 'Turn on notifications' })
  await waitFor(() => expect(button).toBeEnabled())

  await user.click(button)

  expect(await screen.findByText(/This browser blocks our notifications/)).toBeInTheDocument()
  expect(sent('POST', '/subscribe')).toEqual([])
})

test('an iPhone needs the shop on its home screen', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)')
  await openPage()
  expect(await screen.findByText(/first add the shop to your home screen/)).toBeInTheDocument()
})

test('a shop without a key offers no notifications, and one without a provider no text messages', async () => {
  delete settings.pushKey
  await openPage({}, { smsAvailable: false })
  expect(await screen.findByRole('heading', { name: 'Email' })).toBeInTheDocument()
  expect(screen.queryByText('Notifications on this device')).toBeNull()
  expect(screen.queryByLabelText('Mobile number')).toBeNull()
})

test('email is turned off with one press', async () => {
  const { user, sent } = await openPage()
  await user.click(await screen.findByRole('checkbox', { name: 'Email me about every new order' }))
  await waitFor(() => expect(sent('PUT', '/preferences')).toEqual([{ ...CHANNELS, email: false }]))
  expect(await screen.findByTestId('toast')).toHaveTextContent('Your choice has been saved.')
})

test('a phone number turns text messages on, and an empty one off', async () => {
  const { user, sent } = await openPage()
  const field = await screen.findByLabelText('Mobile number')
  await user.type(field, '9841234567')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent('PUT', '/preferences')).toHaveLength(1))
  await user.clear(screen.getByLabelText('Mobile number'))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent('PUT', '/preferences')).toHaveLength(2))
  expect(sent('PUT', '/preferences')).toEqual([
    { ...CHANNELS, phone: '9841234567', sms: true },
    { ...CHANNELS, phone: '', sms: false },
  ])
})

test('a number that cannot get messages is refused at its field', async () => {
  const { user } = await openPage({ [PUT]: refused(422, 'phone_invalid', 'Not a mobile number.') })
  await user.type(await screen.findByLabelText('Mobile number'), '014412345')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(screen.getByLabelText('Mobile number')).toHaveAccessibleDescription(/Not a mobile number\./),
  )
})

test('the daily email about low stock is turned off by itself', async () => {
  const { user, sent } = await openPage({}, { channels: { ...CHANNELS, lowStockEmail: true } })
  await user.click(await screen.findByRole('checkbox', { name: 'A daily email about low stock' }))
  await waitFor(() => expect(sent('PUT', '/preferences')).toEqual([{ ...CHANNELS, lowStockEmail: false }]))
})
