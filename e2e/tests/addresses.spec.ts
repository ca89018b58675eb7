import type { Locator, Page } from '@playwright/test'
import {
  fault,
  HOME_ADDRESS,
  register,
  somebody,
  type User,
  unreachable,
  unsuccessful,
} from '../support/people.ts'
import {
  BROKEN,
  expect,
  listen,
  ON_DESKTOP,
  ON_PHONE,
  open,
  openFold,
  REFUSED,
  test,
  toast,
} from '../support/shop.ts'

const CALL = '/api/address/add_address'
type Saved = typeof HOME_ADDRESS & { _id: string; isDefault: boolean; line: string }

const LABELS = {
  address: 'Address name',
  phone: 'Phone',
  street: 'Street',
  city: 'City',
  state: 'State',
  country: 'Country',
  pincode: 'Postal code',
} as const
type Name = keyof typeof LABELS

const form = (page: Page) => page.getByRole('main').locator('form')
const save = (page: Page) => page.getByRole('button', { name: 'Save Address' })
/** A label may say more than its name: that the field must be filled, for one. */
const field = (page: Page, name: Name): Locator => form(page).getByLabel(new RegExp(`^${LABELS[name]}\\b`))

async function fill(page: Page, values: Partial<Record<Name, string>>) {
  for (const [name, value] of Object.entries(values)) await field(page, name as Name).fill(value)
}

// spec: 2.address.1, 2.address.3
test('the form has the seven fields and Save Address, with the ad block below it', async ({
  page,
  shopper,
}) => {
  await open(page, '/add_address')
  for (const name of Object.keys(LABELS)) await expect(field(page, name as Name)).toBeVisible()
  await expect(save(page)).toBeVisible()
  const ad = page.getByTestId('ad-slot')
  await expect(ad).toBeAttached()
  const [button, slot] = await Promise.all([save(page).boundingBox(), ad.boundingBox()])
  expect(slot?.y).toBeGreaterThan((button?.y ?? 0) + (button?.height ?? 0))
  expect(shopper.session.cookies.size).toBeGreaterThan(0)
})

// spec: 2.address.2, 6.shopper.2, 7.answers.4, 7.shopper.14, 8.success.8
test("saving: the call has exactly what was typed, 'Address added successfully!', and on to the cart, which shows it", async ({
  page,
  shopper,
}) => {
  await open(page, '/add_address')
  await fill(page, HOME_ADDRESS)
  const asked = page.waitForRequest(`**${CALL}`)
  await save(page).click()
  expect((await asked).postDataJSON()).toMatchObject(HOME_ADDRESS)
  await toast(page, 'Address added successfully!')
  await expect(page).toHaveURL('/cart')
  const user = await shopper.session.must<User>('GET', '/api/user/isAuth')
  expect(user.address).toContain(HOME_ADDRESS.street)
  const [first] = await shopper.session.must<Saved[]>('GET', '/api/address/get_addresses')
  expect(first).toMatchObject({ ...HOME_ADDRESS, isDefault: true, line: user.address })
})

for (const name of Object.keys(LABELS) as Name[]) {
  // spec: 5.address.1
  test(
    `without the ${LABELS[name].toLowerCase()}: 'Please fill in all fields.', and nothing is sent`,
    ON_PHONE,
    async ({ page, shopper }) => {
      const sent = listen(page, CALL)
      await open(page, '/add_address')
      // The shop fills in the number it knows as soon as it knows who is there; a gap made before would be filled.
      await expect(field(page, 'phone')).toHaveValue(shopper.phone)
      await fill(page, { ...HOME_ADDRESS, [name]: name === 'street' ? '   ' : '' })
      await save(page).click()
      await toast(page, 'Please fill in all fields.')
      await expect(field(page, name)).toHaveAttribute('aria-invalid', 'true')
      await expect(page).toHaveURL('/add_address')
      expect(sent).toHaveLength(0)
      expect(await shopper.session.must('GET', '/api/address/get_addresses')).toEqual([])
    },
  )
}

// spec: 7.answers.1, 8.address.1
test(
  "an unsuccessful answer: 'Failed to add address. Please try again.', nothing typed is lost",
  ON_DESKTOP,
  async ({ page, shopper }) => {
    await unsuccessful(page, CALL)
    await open(page, '/add_address')
    await fill(page, HOME_ADDRESS)
    await save(page).click()
    await toast(page, 'Failed to add address. Please try again.')
    for (const [name, value] of Object.entries(HOME_ADDRESS))
      await expect(field(page, name as Name)).toHaveValue(value)
    await page.unrouteAll()
    await save(page).click()
    await toast(page, 'Address added successfully!')
    expect(await shopper.session.must<Saved[]>('GET', '/api/address/get_addresses')).toHaveLength(1)
  },
)

for (const way of ['no connection', 'a broken server'] as const) {
  // spec: 7.answers.1, 8.address.2
  test(
    `${way}: 'An error occurred while adding the address. Please try again.', nothing typed is lost`,
    ON_DESKTOP,
    async ({ page, shopper, allowConsole }) => {
      allowConsole(BROKEN)
      await (way === 'no connection' ? unreachable : fault)(page, CALL)
      await open(page, '/add_address')
      await fill(page, HOME_ADDRESS)
      await save(page).click()
      await toast(page, 'An error occurred while adding the address. Please try again.')
      await expect(field(page, 'street')).toHaveValue(HOME_ADDRESS.street)
      expect(await shopper.session.must('GET', '/api/address/get_addresses')).toEqual([])
    },
  )
}

test(
  'a phone number that cannot be one is refused in words',
  ON_DESKTOP,
  async ({ page, shopper, allowConsole }) => {
    allowConsole(REFUSED)
    await open(page, '/add_address')
    await fill(page, { ...HOME_ADDRESS, phone: '12345' })
    await save(page).click()
    await expect(page.getByText('Valid 10-digit phone number is required').first()).toBeVisible()
    expect(await shopper.session.must('GET', '/api/address/get_addresses')).toEqual([])
  },
)

test('a visitor is asked to log in first, and what was typed survives it', ON_DESKTOP, async ({ page }) => {
  const person = somebody()
  await register(person)
  await open(page, '/add_address')
  await fill(page, HOME_ADDRESS)
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill(person.email)
  await dialog.getByLabel('Password', { exact: true }).fill(person.password)
  await dialog.locator('form').getByRole('button', { name: 'Login', exact: true }).click()
  await toast(page, 'Logged in successfully.')
  await expect(field(page, 'street')).toHaveValue(HOME_ADDRESS.street)
  await save(page).click()
  await toast(page, 'Address added successfully!')
})

test(
  'district and municipality come from the official list and fill city and state',
  ON_PHONE,
  async ({ page, shopper }) => {
    await open(page, '/add_address')
    const district = form(page).getByLabel(/^District/)
    await district.selectOption('Kaski')
    const municipality = form(page).getByLabel(/^Municipality/)
    await municipality.selectOption('Pokhara')
    await expect(field(page, 'city')).toHaveValue(/Pokhara/)
    await expect(field(page, 'state')).toHaveValue(/Gandaki/)
    await fill(page, {
      address: 'Office',
      phone: '9841234567',
      street: 'Lakeside 6',
      country: 'Nepal',
      pincode: '33700',
    })
    await save(page).click()
    await toast(page, 'Address added successfully!')
    const [first] = await shopper.session.must<Record<string, string>[]>('GET', '/api/address/get_addresses')
    expect(first).toMatchObject({
      district: 'Kaski',
      municipality: expect.stringContaining('Pokhara'),
      address: 'Office',
    })
  },
)

test(
  'saved addresses: listed with the default first, edited, made default and deleted',
  ON_DESKTOP,
  async ({ page, shopper }) => {
    await shopper.session.must('POST', CALL, HOME_ADDRESS)
    await shopper.session.must('POST', CALL, { ...HOME_ADDRESS, address: 'Office', street: 'Durbarmarg 1' })
    await open(page, '/profile')
    const saved = (await openFold(page, 'Addresses')).getByRole('listitem')
    await expect(saved).toHaveCount(2)
    await expect(saved.nth(0)).toContainText('Durbarmarg 1')
    await expect(saved.nth(0).getByText('Default', { exact: true })).toBeVisible()
    await expect(saved.nth(1).getByText('Default', { exact: true })).toHaveCount(0)

    await saved.nth(1).getByRole('button', { name: 'Make default' }).click()
    await expect(saved.nth(0)).toContainText(HOME_ADDRESS.street)
    await expect(saved.nth(0).getByText('Default', { exact: true })).toBeVisible()
    await expect
      .poll(async () => (await shopper.session.must<User>('GET', '/api/user/isAuth')).address)
      .toContain(HOME_ADDRESS.street)

    const office = saved.filter({ hasText: 'Office' })
    await office.getByRole('button', { name: 'Edit Office' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit address' })
    await expect(dialog.getByLabel(/^Street/)).toHaveValue('Durbarmarg 1')
    await dialog.getByLabel(/^Street/).fill('New Road 5')
    await dialog.getByRole('button', { name: 'Save Address' }).click()
    await toast(page, 'Address updated successfully!')
    await expect(office).toContainText('New Road 5')

    await office.getByRole('button', { name: 'Delete Office' }).click()
    const question = page.getByRole('dialog', { name: 'Delete this address?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(saved).toHaveCount(2)
    await office.getByRole('button', { name: 'Delete Office' }).click()
    await question.getByRole('button', { name: 'Delete' }).click()
    await toast(page, 'Address deleted successfully!')
    await expect(saved).toHaveCount(1)
    expect(await shopper.session.must<Saved[]>('GET', '/api/address/get_addresses')).toHaveLength(1)
  },
)

test('another person’s address can be neither read, changed nor deleted', ON_DESKTOP, async ({ shopper }) => {
  const mallory = await register(somebody())
  const { _id } = await shopper.session.must<Saved>('POST', CALL, HOME_ADDRESS)
  expect(await mallory.must('GET', '/api/address/get_addresses')).toEqual([])
  const changed = await mallory.call('PUT', `/api/address/update_address/${_id}`, {
    ...HOME_ADDRESS,
    street: 'Mine now',
  })
  expect(changed).toMatchObject({ status: 404, body: { code: 'address_not_found' } })
  expect((await mallory.call('DELETE', `/api/address/delete_address/${_id}`)).status).toBe(404)
  const [kept] = await shopper.session.must<Saved[]>('GET', '/api/address/get_addresses')
  expect(kept?.street).toBe(HOME_ADDRESS.street)
})
