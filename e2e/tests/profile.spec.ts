import type { Locator, Page } from '@playwright/test'
import { waitForCancellation, waitForConfirmation, waitForEmail, waitForReset } from '../support/emails.ts'
import { HOME_ADDRESS, logIn, register, somebody, type User } from '../support/people.ts'
import { PHOTO } from '../support/pictures.ts'
import {
  avatar,
  expect,
  loginButton,
  ON_DESKTOP,
  open,
  openFold,
  REFUSED,
  test,
  toast,
} from '../support/shop.ts'

const edit = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Edit', exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save Changes' })
const field = (page: Page, name: 'Name' | 'Email' | 'Phone' | 'Address'): Locator =>
  page.getByRole('main').getByLabel(name, { exact: true })

/** The value of a field in view mode. */
const shown = (page: Page, term: string) =>
  page
    .getByRole('main')
    .locator('dl > *')
    .filter({ has: page.locator('dt', { hasText: new RegExp(`^${term}$`) }) })
    .locator('dd')

// spec: 2.profile.2, 2.profile.4, 2.profile.5, 4.session.5, 6.shopper.1, 7.shopper.13, 8.success.14
test('every field and the photo are edited and saved, and the photo is taken away again', async ({
  page,
  shopper,
}) => {
  await open(page, '/profile')
  await expect(shown(page, 'Name')).toHaveText(shopper.name)
  await expect(shown(page, 'Email')).toContainText(shopper.email)
  await edit(page).click()
  await field(page, 'Name').fill('Ram Bahadur Karki')
  await field(page, 'Phone').fill('९८४१ २३४ ५६७')
  await field(page, 'Address').fill('Boudha 6, Kathmandu')
  await page
    .getByRole('main')
    .getByLabel(/^Profile photo/)
    .setInputFiles(PHOTO)
  await expect(page.getByRole('img', { name: 'Photo preview' })).toBeVisible()
  await save(page).click()
  await toast(page, 'Profile updated successfully!')
  await expect(shown(page, 'Name')).toHaveText('Ram Bahadur Karki')
  await expect(shown(page, 'Phone')).toHaveText(/^9841234567(Confirm phone number)?$/)
  await expect(shown(page, 'Address')).toContainText('Boudha 6, Kathmandu')
  await expect(avatar(page, { name: 'Ram Bahadur Karki' })).toBeVisible()
  const saved = await shopper.session.must<User>('GET', '/api/user/isAuth')
  expect(saved).toMatchObject({
    name: 'Ram Bahadur Karki',
    phone: '9841234567',
    address: 'Boudha 6, Kathmandu',
    email: shopper.email,
    image: expect.stringMatching(/^\/media\/.+\.webp$/),
  })
  await expect(page.getByRole('main').locator(`img[src="${saved.image}"]`)).toBeVisible()

  await edit(page).click()
  await page.getByRole('button', { name: 'Remove photo' }).click()
  await save(page).click()
  await toast(page, 'Profile updated successfully!')
  // The toast may still be that of the first change.
  await expect
    .poll(async () => (await shopper.session.must<User>('GET', '/api/user/isAuth')).image)
    .toBe(null)
})

test(
  'a new email address counts after the link in its email, and "this was not me" undoes it',
  ON_DESKTOP,
  async ({ page, shopper }) => {
    const next = somebody().email
    await open(page, '/profile')
    await edit(page).click()
    await field(page, 'Email').fill(next)
    await field(page, 'Address').fill('Lazimpat 2, Kathmandu')
    await save(page).click()
    await toast(page, 'Profile updated successfully!')
    await expect(page.getByRole('main')).toContainText(next)
    expect(await shopper.session.must('GET', '/api/user/isAuth')).toMatchObject({
      email: shopper.email,
      pendingEmail: next,
    })

    await open(page, await waitForConfirmation(next))
    await expect(page.getByRole('main').getByText('Your email address is confirmed')).toBeVisible()
    await expect(page).toHaveURL('/confirm-email')
    await logIn({ email: next, password: shopper.password })

    await waitForEmail(shopper.email, ({ text }) => text.includes(next))
    await open(page, await waitForCancellation(shopper.email))
    await page.getByRole('button', { name: 'Cancel the change' }).click()
    await expect(page.getByRole('heading', { name: 'Email change cancelled' })).toBeVisible()
    await expect(page.getByRole('main')).toContainText(shopper.email)
    expect(await shopper.session.isSignedIn()).toBe(false)
    await waitForReset(shopper.email)
  },
)

test('another device is signed out, then all of them', async ({ page, shopper }) => {
  const elsewhere = await logIn(shopper)
  await open(page, '/profile')
  const fold = await openFold(page, 'Your devices')
  const devices = fold.getByRole('listitem')
  await expect(devices).toHaveCount(2)
  await expect(devices.filter({ hasText: 'This device' })).toHaveCount(1)
  await devices.getByRole('button', { name: /^Log out/ }).click()
  await toast(page, 'The device has been logged out.')
  await expect(devices).toHaveCount(1)
  expect(await elsewhere.isSignedIn()).toBe(false)
  expect(await shopper.session.isSignedIn()).toBe(true)

  await fold.getByRole('button', { name: 'Log out everywhere' }).click()
  const question = page.getByRole('dialog', { name: 'Log out everywhere?' })
  await question.getByRole('button', { name: 'Log out everywhere' }).click()
  await toast(page, 'You have been logged out everywhere.')
  await expect(page).toHaveURL('/')
  await expect(loginButton(page)).toBeVisible()
  expect(await shopper.session.isSignedIn()).toBe(false)
})

test(
  'the own data are downloaded as a file, then the account is deleted and its address is free again',
  ON_DESKTOP,
  async ({ page, shopper, allowConsole }) => {
    allowConsole(REFUSED)
    await shopper.session.must('POST', '/api/address/add_address', HOME_ADDRESS)
    await open(page, '/profile')
    const data = await openFold(page, 'Your data')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      data.getByRole('button', { name: 'Download my data' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/\.json$/)
    const chunks: Buffer[] = []
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer)
    const text = JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()))
    expect(text).toContain(shopper.email)
    expect(text).toContain(HOME_ADDRESS.street)

    await data.getByRole('button', { name: 'Delete account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
    await dialog.getByLabel('Current password', { exact: true }).fill('not the password')
    await dialog.getByRole('button', { name: 'Delete account' }).click()
    await toast(page, 'The current password is incorrect.')
    await dialog.getByLabel('Current password', { exact: true }).fill(shopper.password)
    await dialog.getByRole('button', { name: 'Delete account' }).click()
    await toast(page, 'Your account has been deleted.')
    await expect(page).toHaveURL('/')
    await expect(loginButton(page)).toBeVisible()
    await expect(logIn(shopper)).rejects.toThrow(/401/)
    const { name, email, password, phone } = shopper
    await register({ name, email, password, phone })
  },
)
