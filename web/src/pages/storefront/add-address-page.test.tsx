import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { AuthDialog, authDialog } from '@/features/accounts/auth-dialog'
import { checkAddress, EMPTY_ADDRESS, normalizeAddress } from '@/features/addresses/address-form'
import { AddAddressPage } from '@/pages/storefront/add-address-page'
import { anAddress, aUser } from '@/test/fixtures'
import { renderInShop } from '@/test/render-in-shop'
import { mockServer, ok, refused, serverFailed } from '@/test/server'

afterEach(() => authDialog.close())

const SEVEN = {
  'Address name': 'Home',
  Phone: '९८४१२३४५६७',
  Street: 'Baneshwor-10',
  City: 'Kathmandu',
  State: 'Bagmati',
  Country: 'Nepal',
  'Postal code': '४४६००',
}

const field = (name: string) => screen.getByLabelText(new RegExp(`^${name} \\(`))

async function openPage(signedIn: boolean, table: Parameters<typeof mockServer>[0] = {}) {
  const requests = mockServer({
    'GET /api/user/isAuth': signedIn ? ok(aUser({ phone: '' })) : refused(401, 'signed_out', ''),
    ...table,
  })
  const shop = await renderInShop(
    <>
      <AddAddressPage />
      <AuthDialog />
    </>,
    { at: '/add_address' },
  )
  const user = userEvent.setup()
  const fill = async (values: Record<string, string>) => {
    for (const [name, text] of Object.entries(values)) {
      await user.clear(field(name))
      if (text) await user.type(field(name), text)
    }
  }
  return {
    ...shop,
    requests,
    user,
    fill,
    save: () => user.click(screen.getByRole('button', { name: 'Save Address' })),
  }
}

const sent = (requests: { path: string; body: unknown }[]) =>
  requests.filter(({ path }) => path === '/api/address/add_address').map(({ body }) => body)

// spec: 2.address.1, 2.address.3
test('there are the seven fields, Nepal is filled in, and the advertisement stands below the form', async () => {
  await openPage(true)
  for (const name of Object.keys(SEVEN)) expect(field(name)).toBeInTheDocument()
  expect(field('Country')).toHaveValue('Nepal')
  const save = screen.getByRole('button', { name: 'Save Address' })
  expect(save.compareDocumentPosition(screen.getByTestId('ad-slot'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

test('the seven fields come first, in the order of the specification; what is optional is folded', async () => {
  await openPage(true)
  const names = screen
    .getAllByRole('textbox', { hidden: true })
    .concat(screen.getAllByRole('combobox', { hidden: true }))
    .sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))
    .map((input) => (input as HTMLInputElement).name)
  expect(names).toEqual([
    ...['address', 'phone', 'street', 'city', 'state', 'country', 'pincode'],
    ...['district', 'municipality', 'ward', 'landmark'],
  ])
  expect(document.querySelector('details')).not.toHaveAttribute('open')
})

test('an error goes when its field is corrected, and comes when a field is left wrong', async () => {
  const { user, fill, save } = await openPage(true)
  await fill({ ...SEVEN, Street: '', Phone: '12' })
  await save()
  const summary = screen.getByRole('alert', { name: 'There is a problem' })
  expect(within(summary).getAllByRole('link')).toHaveLength(2)

  await user.type(field('Street'), 'B')
  expect(field('Street')).not.toBeInvalid()
  expect(within(summary).getAllByRole('link')).toHaveLength(1)
  await user.type(field('Phone'), '3')
  expect(field('Phone')).toBeInvalid()
  await user.clear(field('Phone'))
  await user.type(field('Phone'), '01-4412345')
  expect(field('Phone')).not.toBeInvalid()
  expect(screen.queryByRole('alert', { name: 'There is a problem' })).toBeNull()

  await user.clear(field('Postal code'))
  expect(field('Postal code')).not.toBeInvalid()
  await user.tab()
  expect(field('Postal code')).toBeInvalid()
})

test('a city of the official list fills in its state, district and municipality, and takes them back', async () => {
  const { requests, user, fill, save } = await openPage(true, {
    'POST /api/address/add_address': ok(anAddress()),
  })
  await waitFor(() => expect(screen.getByLabelText(/^District/)).toBeEnabled())
  const { State: _, ...others } = SEVEN
  await fill({ ...others, City: 'Pokhara' })
  expect(field('State')).toHaveValue('Gandaki')
  expect(screen.getByLabelText(/^District/)).toHaveValue('Kaski')
  await user.type(field('City'), ' Bazaar')
  expect(screen.getByLabelText(/^District/)).toHaveValue('')
  await save()
  await waitFor(() => expect(sent(requests)).toHaveLength(1))
  expect(sent(requests)[0]).toMatchObject({ city: 'Pokhara Bazaar', district: '', municipality: '' })
})

// spec: 5.address.1
test.each([...Object.keys(SEVEN).map((name) => [name, '']), ['Street', '   ']] as [string, string][])(
  "without %s ('%s') nothing is sent, and the field says so",
  async (missing, text) => {
    const { requests, fill, save } = await openPage(true)
    await fill({ ...SEVEN, [missing]: text })
    await save()
    expect(await screen.findByTestId('toast')).toHaveTextContent('Please fill in all fields.')
    expect(screen.getByRole('alert', { name: 'There is a problem' })).toHaveFocus()
    expect(field(missing)).toHaveAccessibleDescription(/Enter the/)
    expect(field(missing)).toBeInvalid()
    expect(sent(requests)).toEqual([])
  },
)

// spec: 2.address.2, 7.answers.4, 8.success.8
test('all seven are sent, numbers in Latin digits, and the way leads to the cart', async () => {
  const { requests, fill, save, address } = await openPage(true, {
    'POST /api/address/add_address': ok(anAddress()),
  })
  await fill(SEVEN)
  await save()
  expect(await screen.findByText('Address added successfully!')).toBeInTheDocument()
  await expect.poll(address).toBe('/cart')
  expect(sent(requests)).toEqual([
    expect.objectContaining({
      address: 'Home',
      phone: '9841234567',
      street: 'Baneshwor-10',
      city: 'Kathmandu',
      state: 'Bagmati',
      country: 'Nepal',
      pincode: '44600',
    }),
  ])
  // The server changed the user's own address line.
  expect(requests.filter(({ path }) => path === '/api/user/isAuth')).toHaveLength(2)
})

// spec: 7.answers.1, 8.address.1, 8.address.2
test.each([
  ['an unsuccessful answer', { body: { success: false } }, 'Failed to add address. Please try again.'],
  ['a no', refused(422, 'too_many_addresses', ''), 'Failed to add address. Please try again.'],
  ['a fault', serverFailed, 'An error occurred while adding the address. Please try again.'],
  ['no network', 'no network' as const, 'An error occurred while adding the address. Please try again.'],
])('%s: everything typed stays', async (_what, answer, text) => {
  const { requests, fill, save, address } = await openPage(true, { 'POST /api/address/add_address': answer })
  await fill(SEVEN)
  await save()
  expect(await screen.findByTestId('toast')).toHaveTextContent(text)
  for (const [name, typed] of Object.entries(SEVEN)) expect(field(name)).toHaveValue(typed)
  expect(address()).toBe('/add_address')
  expect(sent(requests)).toHaveLength(1)
})

test('the official lists fill state and city: province, district, municipality, ward', async () => {
  const { requests, user, fill, save } = await openPage(true, {
    'POST /api/address/add_address': ok(anAddress()),
  })
  const district = screen.getByLabelText(/^District/)
  await waitFor(() => expect(district).toBeEnabled())
  expect(screen.getByLabelText(/^Municipality/)).toBeDisabled()
  await user.selectOptions(district, 'Lalitpur')
  expect(field('State')).toHaveValue('Bagmati')
  await user.selectOptions(screen.getByLabelText(/^Municipality/), 'Godawari')
  expect(field('City')).toHaveValue('Godawari')
  expect(within(screen.getByLabelText(/^Ward/)).getAllByRole('option')).toHaveLength(15)
  await user.selectOptions(screen.getByLabelText(/^Ward/), '14')
  await fill({ 'Address name': 'Home', Phone: '9841234567', Street: 'Taukhel', 'Postal code': '44700' })
  await save()
  await waitFor(() => expect(sent(requests)).toHaveLength(1))
  expect(sent(requests)[0]).toMatchObject({
    state: 'Bagmati',
    district: 'Lalitpur',
    municipality: 'Godawari',
    city: 'Godawari',
    ward: '14',
  })
})

test('a visitor is told to log in, and keeps what was typed', async () => {
  const { requests, fill, save } = await openPage(false)
  expect(await screen.findByText('Log in to save this address')).toBeInTheDocument()
  await fill(SEVEN)
  await save()
  expect(await screen.findByRole('dialog', { name: 'Login' })).toBeInTheDocument()
  expect(field('Street')).toHaveValue('Baneshwor-10')
  expect(sent(requests)).toEqual([])
  expect(sessionStorage.getItem('thunse.person.address')).toContain('Baneshwor-10')
})

test('a session that ended meanwhile asks for the login and keeps everything', async () => {
  const { requests, fill, save } = await openPage(true, {
    'POST /api/address/add_address': refused(401, 'signed_out', 'Please log in.'),
  })
  await fill(SEVEN)
  await save()
  expect(await screen.findByRole('dialog', { name: 'Login' })).toBeInTheDocument()
  expect(sent(requests)).toHaveLength(1)
  expect(field('Street')).toHaveValue('Baneshwor-10')
  expect(sessionStorage.getItem('thunse.person.address')).toContain('Baneshwor-10')
})

test('the rules by themselves', () => {
  expect(Object.keys(checkAddress(EMPTY_ADDRESS))).toHaveLength(7)
  expect(checkAddress({ ...anAddress(), phone: '123' })).toEqual({ phone: 'address.err.phone' })
  for (const phone of ['01-4412345', '+977 9841234567', '061520123'])
    expect(checkAddress({ ...anAddress(), phone })).toEqual({})
  expect(normalizeAddress({ ...EMPTY_ADDRESS, street: ' a ', ward: '१०' })).toMatchObject({
    street: 'a',
    ward: '10',
  })
})
