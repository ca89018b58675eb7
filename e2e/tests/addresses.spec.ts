import { product, productPath } from '../support/api.ts'
import { HOME_ADDRESS, register, somebody, type User } from '../support/people.ts'
import { expect, ON_DESKTOP, open, openFold, test, toast } from '../support/shop.ts'

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

// spec: 2.address.2, 6.shopper.2, 7.answers.4, 7.shopper.14, 8.success.8
test('a visitor writes down an address, logs in to save it, and finds it in the cart', async ({ page }) => {
  const person = somebody()
  const session = await register(person)
  await open(page, productPath(await product(({ stock }) => stock > 10)))
  await page.getByRole('main').getByRole('button', { name: 'Add to Cart' }).first().click()
  await toast(page, 'Added to cart')

  await open(page, '/add_address')
  const form = page.getByRole('main').locator('form')
  for (const [name, text] of Object.entries(HOME_ADDRESS))
    await form.getByLabel(new RegExp(`^${LABELS[name as keyof typeof LABELS]}\\b`)).fill(text)
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill(person.email)
  await dialog.getByLabel('Password', { exact: true }).fill(person.password)
  await dialog.locator('form').getByRole('button', { name: 'Login', exact: true }).click()
  await toast(page, 'Logged in successfully.')
  const asked = page.waitForRequest('**/api/address/add_address')
  await page.getByRole('button', { name: 'Save Address' }).click()
  expect((await asked).postDataJSON()).toMatchObject(HOME_ADDRESS)
  await toast(page, 'Address added successfully!')
  await expect(page).toHaveURL('/cart')
  await expect(page.locator('#delivery')).toContainText(HOME_ADDRESS.street)

  const user = await session.must<User>('GET', '/api/user/isAuth')
  expect(await session.must<Saved[]>('GET', '/api/address/get_addresses')).toMatchObject([
    { ...HOME_ADDRESS, isDefault: true, line: user.address },
  ])
})

test(
  'saved addresses are listed with the default first, made the default, edited and deleted',
  ON_DESKTOP,
  async ({ page, shopper }) => {
    const add = (entry: typeof HOME_ADDRESS) =>
      shopper.session.must('POST', '/api/address/add_address', entry)
    await add(HOME_ADDRESS)
    await add({ ...HOME_ADDRESS, address: 'Office', street: 'Durbarmarg 1' })
    await open(page, '/profile')
    const saved = (await openFold(page, 'Addresses')).getByRole('listitem')
    await expect(saved).toHaveCount(2)
    await expect(saved.nth(0)).toContainText('Durbarmarg 1')
    await expect(saved.nth(0).getByText('Default', { exact: true })).toBeVisible()

    await saved.nth(1).getByRole('button', { name: 'Make default' }).click()
    await toast(page, 'Address updated successfully!')
    await expect(saved.nth(0)).toContainText(HOME_ADDRESS.street)
    await expect(saved.nth(0).getByText('Default', { exact: true })).toBeVisible()
    const user = await shopper.session.must<User>('GET', '/api/user/isAuth')
    expect(user.address).toContain(HOME_ADDRESS.street)

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
    await question.getByRole('button', { name: 'Delete' }).click()
    await toast(page, 'Address deleted successfully!')
    await expect(saved).toHaveCount(1)
    expect(await shopper.session.must('GET', '/api/address/get_addresses')).toHaveLength(1)
  },
)
