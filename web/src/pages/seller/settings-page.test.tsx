import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { queryClient } from '@/api/query-client'
import { sessions } from '@/features/accounts/session'
import type { VersionedSettings } from '@/features/shop/seller/settings-api'
import { settings } from '@/lib/first-data'
import { activateLang } from '@/lib/i18n'
import { SellerSettingsPage } from '@/pages/seller/settings-page'
import { shopSettings } from '@/test/fixtures-seller'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused, serverFailed } from '@/test/server'

const GET = 'GET /api/shop/get_settings'
const PUT = 'PUT /api/shop/update_settings'
type Table = Parameters<typeof mockServer>[0]

const savedSettings = (changes: Partial<VersionedSettings> = {}): VersionedSettings => ({
  ...shopSettings({
    tagline: 'To your door.',
    phone: '01-4567890',
    email: 'hello@thunse.example',
    address: 'Kathmandu',
    addressNe: 'काठमाडौँ',
    registrationNumber: '12345',
    panNumber: '600123456',
    grievance: { name: 'Gita', phone: '', email: '' },
    deliveryPromise: 'Within two days.',
    social: [
      { name: 'Facebook', url: 'https://facebook.com/thunse' },
      { name: 'TikTok', url: 'https://tiktok.com/thunse' },
    ],
    banners: [{ title: 'Dashain', titleNe: 'दशैँ', text: 'All fresh', textNe: '', href: '/offers' }],
  }),
  version: 'v1',
  ...changes,
})

const original = { ...settings }
afterEach(async () => {
  Object.assign(settings, original)
  await activateLang('en')
})

async function openSettings(table: Table = {}) {
  const requests = mockServer({ [GET]: ok(savedSettings()), ...table })
  const shop = await renderInShop(<SellerSettingsPage />, { at: '/seller/settings' })
  await screen.findByLabelText(/^Shop name \(/)
  const sent = () =>
    requests.filter(({ method }) => method === 'PUT').map(({ body }) => body as VersionedSettings)
  return { ...shop, requests, sent, user: userEvent.setup() }
}

const brand = () => screen.getByLabelText(/^Shop name \(/)
const save = () => screen.getByRole('button', { name: 'Save changes' })
const echo: Table = { [PUT]: ({ body }) => ok({ ...(body as VersionedSettings), version: 'v2' }) }

test('all fields are there with what is stored, and saving sends the whole of it', async () => {
  const { user, sent } = await openSettings(echo)
  expect(screen.getByLabelText('PAN/VAT number')).toHaveValue('600123456')
  expect(screen.getByLabelText('Business registration number')).toHaveValue('12345')
  await user.clear(brand())
  await user.type(brand(), 'Doko ')
  expect(screen.getByText('You have unsaved changes.')).toBeInTheDocument()
  await user.click(save())
  expect(await screen.findByTestId('toast')).toHaveTextContent('Settings saved.')
  expect(sent()).toEqual([savedSettings({ brand: 'Doko' })])
  expect(screen.queryByText('You have unsaved changes.')).toBeNull()
  expect(settings.brand).toBe('Doko')
  expect(settings.contact.phone).toBe('01-4567890')
  await user.click(save())
  await waitFor(() => expect(sent().at(-1)?.version).toBe('v2'))
})

test('what is wrong is said above and at the field, and nothing is sent', async () => {
  const { user, sent } = await openSettings()
  await user.clear(brand())
  const [email] = screen.getAllByLabelText('Email')
  await user.clear(email as HTMLElement)
  await user.type(email as HTMLElement, 'nobody')
  await user.click(save())
  const summary = await screen.findByRole('alert', { name: /./ })
  expect(summary).toHaveFocus()
  expect(summary).toHaveTextContent('Please fill in this field.')
  expect(email).toHaveAccessibleDescription('Enter a valid email address.')
  expect(sent()).toEqual([])
  await user.click(within(summary).getByRole('link', { name: 'Enter a valid email address.' }))
  expect(email).toHaveFocus()
})

test('a field that the server refuses says so in its words; in Nepali in ours', async () => {
  const refusal = refused(422, 'field_invalid', 'This address is not allowed.', { field: 'social.0.url' })
  const { user } = await openSettings({ [PUT]: refusal })
  await user.type(brand(), '!')
  await user.click(save())
  expect(await screen.findByTestId('toast')).toHaveTextContent('Failed to save the settings.')
  expect(screen.getAllByLabelText('Web address')[0]).toHaveAccessibleDescription(
    'This address is not allowed.',
  )
})

test('links are added, put in order and removed, and the keyboard goes along', async () => {
  const { user, sent } = await openSettings(echo)
  await user.click(screen.getByRole('button', { name: 'Move TikTok up' }))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Move TikTok down' })).toHaveFocus())
  await user.click(screen.getByRole('button', { name: 'Remove Facebook' }))
  expect(within(screen.getByTestId('social-row')).getByLabelText('Name')).toHaveFocus()
  await user.click(screen.getByRole('button', { name: 'Add a link' }))
  await user.keyboard('Viber')
  expect(screen.getByRole('button', { name: 'Remove Viber' })).toBeInTheDocument()
  await user.type(screen.getAllByLabelText('Web address')[1] as HTMLElement, 'https://viber.com/thunse')
  await user.click(save())
  await waitFor(() =>
    expect(sent()[0]?.social).toEqual([
      { name: 'TikTok', url: 'https://tiktok.com/thunse' },
      { name: 'Viber', url: 'https://viber.com/thunse' },
    ]),
  )
})

test('a banner is shown as the shop will show it, in the language one reads', async () => {
  const { user } = await openSettings()
  expect(screen.getByTestId('banner-preview')).toHaveTextContent('DashainAll fresh')
  await user.type(screen.getByLabelText('Title'), ' offer')
  expect(screen.getByTestId('banner-preview')).toHaveTextContent('Dashain offerAll fresh')
  await act(() => activateLang('ne'))
  expect(screen.getByTestId('banner-preview')).toHaveTextContent('दशैँ')
})

test('no more than eight links', async () => {
  const social = Array.from({ length: 8 }, (_, n) => ({ name: `L${n}`, url: 'https://a.example' }))
  await openSettings({ [GET]: ok(savedSettings({ social })) })
  expect(screen.getByRole('button', { name: 'Add a link' })).toBeDisabled()
  expect(screen.getByText('Up to 8.')).toBeInTheDocument()
})

const changed = refused(409, 'settings_changed', 'x', savedSettings({ brand: 'Theirs', version: 'v7' }))

test('somebody else was quicker: theirs', async () => {
  const { user } = await openSettings({ [PUT]: changed })
  await user.type(brand(), ' mine')
  await user.click(save())
  const notice = await screen.findByTestId('conflict')
  expect(notice).toHaveFocus()
  expect(notice).toHaveTextContent('Different: Shop name.')
  expect(brand()).toHaveValue('Thunse mine')
  await user.click(within(notice).getByRole('button', { name: 'Use theirs' }))
  expect(brand()).toHaveValue('Theirs')
  expect(screen.queryByTestId('conflict')).toBeNull()
  expect(screen.queryByText('You have unsaved changes.')).toBeNull()
})

test('somebody else was quicker: mine, over theirs', async () => {
  let first = true
  const { user, sent } = await openSettings({
    [PUT]: ({ body }) => {
      if (!first) return ok({ ...(body as VersionedSettings), version: 'v8' })
      first = false
      return changed
    },
  })
  await user.type(brand(), ' mine')
  await user.click(save())
  await user.click(await screen.findByRole('button', { name: 'Keep mine' }))
  expect(await screen.findByTestId('toast')).toHaveTextContent('Settings saved.')
  expect(sent().at(-1)).toMatchObject({ brand: 'Thunse mine', version: 'v7' })
})

/** Another seller has saved these changes first; from the second attempt on, saving succeeds. */
function quicker(theirs: Partial<VersionedSettings>): Table {
  let first = true
  return {
    [PUT]: ({ body }) => {
      if (!first) return ok({ ...(body as VersionedSettings), version: 'v8' })
      first = false
      return refused(409, 'settings_changed', 'x', savedSettings({ ...theirs, version: 'v7' }))
    },
  }
}

test('what only the other has changed is nobody’s question: both stay', async () => {
  const { user, sent } = await openSettings(quicker({ banners: [] }))
  await user.type(brand(), '!')
  await user.click(save())
  expect(await screen.findByTestId('toast')).toHaveTextContent('Settings saved.')
  expect(sent()).toHaveLength(2)
  expect(sent().at(-1)).toEqual(savedSettings({ brand: 'Thunse!', banners: [], version: 'v7' }))
  expect(screen.queryByTestId('conflict')).toBeNull()
  expect(screen.queryByTestId('banner-preview')).toBeNull()
  expect(screen.queryByText('You have unsaved changes.')).toBeNull()
})

test('a choice is about what both have changed; the rest of both stays', async () => {
  const { user, sent } = await openSettings(quicker({ brand: 'Theirs', banners: [] }))
  await user.type(brand(), ' mine')
  await user.type(screen.getByLabelText('PAN/VAT number'), '7')
  await user.click(save())
  const notice = await screen.findByTestId('conflict')
  expect(notice).toHaveTextContent('Different: Shop name. Choose')
  await user.click(within(notice).getByRole('button', { name: 'Use theirs' }))
  expect(brand()).toHaveValue('Theirs')
  expect(screen.getByLabelText('PAN/VAT number')).toHaveValue('6001234567')
  expect(save()).toHaveFocus()
  await user.click(save())
  await waitFor(() =>
    expect(sent().at(-1)).toEqual(
      savedSettings({ brand: 'Theirs', panNumber: '6001234567', banners: [], version: 'v7' }),
    ),
  )
})

test('what is typed while it is saved stays, and so does the keyboard’s place', async () => {
  let answer = (_: Response) => {}
  const { user } = await openSettings()
  const [name] = screen.getAllByLabelText('Name', { selector: '#shop-social-0-name' })
  const other = fetch
  vi.stubGlobal('fetch', (request: Request) =>
    request.method === 'PUT' ? new Promise<Response>((done) => (answer = done)) : other(request),
  )
  await user.type(name as HTMLElement, '!{Enter}')
  await user.type(screen.getByLabelText('Tagline'), ' Soon.')
  name?.focus()
  const social = savedSettings().social.map((link, n) => (n === 0 ? { ...link, name: 'Facebook!' } : link))
  await act(async () =>
    answer(Response.json({ success: true, message: '', data: savedSettings({ social, version: 'v2' }) })),
  )
  expect(await screen.findByTestId('toast')).toHaveTextContent('Settings saved.')
  expect(name).toHaveFocus()
  expect(screen.getByLabelText('Tagline')).toHaveValue('To your door. Soon.')
  expect(screen.getByText('You have unsaved changes.')).toBeInTheDocument()
})

test('what was wrong goes when it is mended, and with the row it was in', async () => {
  const social = [
    { name: 'Bad', url: 'http://x' },
    { name: 'Good', url: 'https://good.example' },
  ]
  const { user } = await openSettings({ [GET]: ok(savedSettings({ social, brand: '' })) })
  await user.click(save())
  const summary = await screen.findByRole('alert', { name: /./ })
  await user.click(screen.getByRole('button', { name: 'Remove Bad' }))
  expect(screen.getByLabelText('Web address')).toHaveValue('https://good.example')
  expect(screen.getByLabelText('Web address')).not.toHaveAttribute('aria-invalid', 'true')
  expect(summary).not.toHaveTextContent('https://')
  expect(summary).toHaveTextContent('Please fill in this field.')
  await user.type(brand(), 'T')
  expect(summary).not.toBeInTheDocument()
})

test('a session that ended while one typed does not take the form away', async () => {
  queryClient.setQueryData(sessions.seller.queryKey, { name: 'Hari' } as never)
  const { user } = await openSettings({ [PUT]: refused(401, 'signed_out', '') })
  await user.type(brand(), '!')
  await user.click(save())
  expect(await screen.findByTestId('toast')).toHaveTextContent('Log in again in another tab')
  expect(queryClient.getQueryData(sessions.seller.queryKey)).not.toBeNull()
  expect(brand()).toHaveValue('Thunse!')
})

test('leaving with unsaved changes asks first', async () => {
  const { user, router, address } = await openSettings()
  await user.type(brand(), '!')
  act(() => void router.navigate({ to: '/seller/audit' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }))
  await user.click(dialog.getByRole('button', { name: 'Stay' }))
  expect(address()).toBe('/seller/settings')
  expect(brand()).toHaveValue('Thunse!')
  await user.click(screen.getByRole('button', { name: 'Discard changes' }))
  await act(() => router.navigate({ to: '/seller/audit' }))
  expect(address()).toBe('/seller/audit')
})

test('an exception while saving is told, and what was typed stays', async () => {
  const { user } = await openSettings({ [PUT]: serverFailed })
  await user.type(brand(), '!')
  await user.click(save())
  expect(await screen.findByTestId('toast')).toHaveTextContent(
    'An error occurred while saving the settings. Please try again.',
  )
  expect(brand()).toHaveValue('Thunse!')
})

test.each([
  [refused(400, 'x', ''), 'Failed to fetch the settings.'],
  [serverFailed, 'An error occurred while fetching the settings. Please try again.'],
])('settings that cannot be had say so and can be asked for again', async (failure, text) => {
  let works = false
  mockServer({ [GET]: () => (works ? ok(savedSettings()) : failure) })
  await renderInShop(<SellerSettingsPage />, { at: '/seller/settings' })
  expect(await screen.findByTestId('toast')).toHaveTextContent(text)
  works = true
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  expect(await screen.findByLabelText(/^Shop name \(/)).toBeInTheDocument()
})

test('an ended session shows the door', async () => {
  queryClient.setQueryData(sessions.seller.queryKey, { name: 'Hari' } as never)
  mockServer({ [GET]: refused(401, 'signed_out', '') })
  await renderInShop(<SellerSettingsPage />, { at: '/seller/settings' })
  await waitFor(() => expect(queryClient.getQueryData(sessions.seller.queryKey)).toBeNull())
})

test('fees are typed as figures, sent as numbers, and refused out of range', async () => {
  const { user, sent } = await openSettings(echo)
  const fee = screen.getByLabelText('Shipping fee (Rs.)')
  await user.clear(fee)
  await user.type(fee, '20000')
  await user.click(save())
  expect(fee).toHaveAccessibleDescription(/Enter a number in this range/)
  expect(sent()).toEqual([])
  await user.clear(fee)
  await user.type(fee, '५०')
  await user.click(screen.getByLabelText('The shop is registered for VAT'))
  await user.click(save())
  expect(await screen.findByTestId('toast')).toHaveTextContent('Settings saved.')
  expect(sent()).toEqual([savedSettings({ shippingFee: 50, vatRegistered: false })])
  expect(settings.rates).toEqual({
    shippingFee: 50,
    freeShippingAbove: 1000,
    taxRate: 13,
    vatRegistered: false,
  })
})

test('what is switched off for want of a key is listed with the name of the setting', async () => {
  Object.assign(settings, { onlinePayment: [], googleSignIn: false })
  await openSettings()
  const off = screen.getByTestId('switched-off')
  expect(off).toHaveTextContent('KHALTI_SECRET_KEY')
  expect(off).toHaveTextContent('OPENID_CLIENT_ID')
})

test('bills are set up with their kind, their moment and the code of the outlet', async () => {
  const { user, sent } = await openSettings(echo)
  await user.selectOptions(screen.getByLabelText('Document'), 'Bill or tax invoice')
  await user.selectOptions(screen.getByLabelText('Issued'), 'When the order is dispatched')
  await user.clear(screen.getByLabelText('Outlet code'))
  await user.type(screen.getByLabelText('Outlet code'), 'ktm')
  await user.click(screen.getByLabelText(/abbreviated tax invoices/))
  await user.click(save())
  await waitFor(() =>
    expect(sent().at(-1)?.billing).toEqual({
      document: 'bill',
      issueAt: 'dispatch',
      outlet: 'KTM',
      abbreviatedPermitted: true,
    }),
  )
})
