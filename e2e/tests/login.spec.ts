import type { Locator } from '@playwright/test'
import { type Person, sessionOf, somebody, type User } from '../support/people.ts'
import { PHOTO } from '../support/pictures.ts'
import {
  avatar,
  expect,
  listen,
  loginButton,
  loginDialog,
  ON_DESKTOP,
  open,
  REFUSED,
  reload,
  test,
  toast,
} from '../support/shop.ts'

const LOGIN = '/api/user/login'
const REGISTER = '/api/user/register'

/** The submit button; the switch between the two modes has the same label. */
const submit = (dialog: Locator, name: 'Login' | 'Create Account') =>
  dialog.locator('form').getByRole('button', { name, exact: true })

async function fillLogin(dialog: Locator, { email, password }: Pick<Person, 'email' | 'password'>) {
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Password', { exact: true }).fill(password)
}

async function fillSignUp(dialog: Locator, person: Person) {
  await dialog.getByLabel('Full name').fill(person.name)
  await dialog.getByLabel('Phone').fill(person.phone)
  await fillLogin(dialog, person)
}

// spec: 7.shopper.3, 7.shopper.10, 7.shopper.11, 7.shopper.12, 8.success.2, 8.success.5, 8.success.6
test('sign up with a photo, log out, try a wrong password, log in: always on the same page', async ({
  page,
  allowConsole,
}) => {
  allowConsole(REFUSED)
  const person = somebody('Maya Gurung')
  await open(page, '/products?search=rice')
  const dialog = await loginDialog(page, 'Sign Up')
  await fillSignUp(dialog, { ...person, phone: '+977 ९८४१-२३४ ५६७' })
  await dialog.getByLabel(/^Profile photo/).setInputFiles(PHOTO)
  await expect(dialog.getByRole('img', { name: 'Photo preview' })).toBeVisible()
  await submit(dialog, 'Create Account').click()
  await toast(page, 'User registered successfully.')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const picture = avatar(page, person).locator('img')
  await expect(picture).toHaveAttribute('src', /^\/media\/.+\.webp$/)
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth))
    .toBeGreaterThan(0)
  const session = await sessionOf(page.context())
  expect(await session.must<User>('GET', '/api/user/isAuth')).toMatchObject({
    name: person.name,
    email: person.email,
    phone: '9841234567',
  })

  await avatar(page, person).click()
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
  await toast(page, 'Logout successful!')
  await expect(loginButton(page)).toBeVisible()
  expect(await session.isSignedIn(), 'the cookie from before is worth nothing').toBe(false)
  await reload(page)
  await expect(loginButton(page)).toBeVisible()

  await loginDialog(page)
  await fillLogin(dialog, { ...person, password: 'not-the-password' })
  await submit(dialog, 'Login').click()
  await expect(dialog.locator('form').getByText('Wrong email or password.')).toBeVisible()
  await fillLogin(dialog, person)
  await submit(dialog, 'Login').click()
  await toast(page, 'Logged in successfully.')
  await expect(avatar(page, person)).toBeVisible()
  await expect(page).toHaveURL('/products?search=rice')
})

// spec: 5.auth.1, 5.auth.2, 5.auth.3
test(
  'the browser itself demands every field but the photo, and a well-formed email address',
  ON_DESKTOP,
  async ({ page }) => {
    const validity = (field: Locator, which: 'valueMissing' | 'typeMismatch' | 'valid') =>
      field.evaluate((input: HTMLInputElement, name) => input.validity[name], which)
    const sent = [LOGIN, REGISTER].map((path) => listen(page, path))
    const person = somebody()
    await open(page, '/about')
    const dialog = await loginDialog(page)
    await submit(dialog, 'Login').click()
    expect(await validity(dialog.getByLabel('Email'), 'valueMissing')).toBe(true)
    expect(await validity(dialog.getByLabel('Password', { exact: true }), 'valueMissing')).toBe(true)

    await dialog.getByRole('button', { name: 'Sign Up' }).click()
    for (const label of ['Full name', 'Phone', 'Email', 'Password']) {
      await fillSignUp(dialog, person)
      await dialog.getByLabel(label, { exact: true }).fill('')
      await submit(dialog, 'Create Account').click()
      expect(await validity(dialog.getByLabel(label, { exact: true }), 'valueMissing'), label).toBe(true)
    }
    await fillSignUp(dialog, { ...person, email: 'maya@' })
    await submit(dialog, 'Create Account').click()
    expect(await validity(dialog.getByLabel('Email'), 'typeMismatch')).toBe(true)
    expect(await validity(dialog.getByLabel(/^Profile photo/), 'valid')).toBe(true)

    // Only the complete form is sent.
    await fillSignUp(dialog, person)
    await submit(dialog, 'Create Account').click()
    await toast(page, 'User registered successfully.')
    expect(sent.map((requests) => requests.length)).toEqual([0, 1])
  },
)
