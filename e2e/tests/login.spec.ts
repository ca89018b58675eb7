import type { Locator } from '@playwright/test'
import { type Person, register, sessionOf, somebody, unreachable, unsuccessful } from '../support/people.ts'
import { NOT_A_PHOTO, PHOTO } from '../support/pictures.ts'
import {
  avatar,
  BROKEN,
  expect,
  listen,
  loginButton,
  loginDialog,
  noToast,
  ON_DESKTOP,
  ON_PHONE,
  open,
  REFUSED,
  test,
  toast,
} from '../support/shop.ts'

const LOGIN = '/api/user/login'
const REGISTER = '/api/user/register'

/** The button that sends the form: the switch between the two modes bears the same word. */
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

const validity = (field: Locator, which: 'valueMissing' | 'typeMismatch' | 'valid') =>
  field.evaluate((input: HTMLInputElement, name) => input.validity[name], which)

// spec: 2.auth.1, 2.auth.2, 2.auth.3, 2.auth.4, 2.auth.5, 4.session.4
test('the dialog toggles between Login and Sign Up, with the fields of each, and keeps the typed e-mail', async ({
  page,
}) => {
  await open(page, '/about')
  await loginButton(page).click()
  const dialog = page.getByRole('dialog', { name: 'Login' })
  await expect(dialog.getByLabel('Email')).toBeVisible()
  await expect(dialog.getByLabel('Password', { exact: true })).toBeVisible()
  await expect(submit(dialog, 'Login')).toBeVisible()
  await expect(dialog.getByText('Continue with Google')).toBeVisible()
  await expect(dialog.getByLabel('Full name')).toHaveCount(0)
  await dialog.getByLabel('Email').fill('maya@example.com')

  await dialog.getByRole('button', { name: 'Sign Up' }).click()
  const signUp = page.getByRole('dialog', { name: 'Sign Up' })
  for (const label of ['Full name', 'Phone', 'Email'])
    await expect(signUp.getByLabel(label, { exact: true })).toBeVisible()
  await expect(signUp.getByLabel('Password', { exact: true })).toBeVisible()
  await expect(signUp.getByLabel(/^Profile photo/)).toHaveAttribute('type', 'file')
  await expect(signUp.getByLabel(/^Profile photo/)).toHaveAttribute('accept', /^image\//)
  await expect(signUp.getByText('Continue with Google')).toBeVisible()
  await expect(submit(signUp, 'Create Account')).toBeVisible()
  await expect(signUp.getByLabel('Email')).toHaveValue('maya@example.com')

  await signUp.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Login' }).getByLabel('Email')).toHaveValue(
    'maya@example.com',
  )
  await expect(dialog.getByLabel('Full name')).toHaveCount(0)
})

// spec: 5.auth.1, 5.auth.2
test(
  'the browser itself demands each field of the login and a well-formed e-mail',
  ON_DESKTOP,
  async ({ page }) => {
    const sent = listen(page, LOGIN)
    await open(page, '/about')
    const dialog = await loginDialog(page)
    await submit(dialog, 'Login').click()
    expect(await validity(dialog.getByLabel('Email'), 'valueMissing')).toBe(true)
    expect(await validity(dialog.getByLabel('Password', { exact: true }), 'valueMissing')).toBe(true)
    await fillLogin(dialog, { email: 'not an address', password: 'x' })
    await submit(dialog, 'Login').click()
    expect(await validity(dialog.getByLabel('Email'), 'typeMismatch')).toBe(true)
    expect(sent).toHaveLength(0)
    await noToast(page)
  },
)

// spec: 5.auth.1, 5.auth.2, 5.auth.3
test(
  'the browser itself demands name, phone, e-mail and password to sign up, but no photo',
  ON_PHONE,
  async ({ page, allowConsole }) => {
    allowConsole(REFUSED)
    const sent = listen(page, REGISTER)
    const person = somebody()
    await open(page, '/about')
    const dialog = await loginDialog(page, 'Sign Up')
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
    expect(sent).toHaveLength(0)
  },
)

// spec: 5.auth.3, 7.shopper.10, 8.success.5
test('signing up says so, closes the dialog and signs in; the call carries the five fields', async ({
  page,
}) => {
  const person = somebody('Maya Gurung')
  await open(page, '/about')
  const dialog = await loginDialog(page, 'Sign Up')
  await fillSignUp(dialog, person)
  const asked = page.waitForRequest(`**${REGISTER}`)
  await submit(dialog, 'Create Account').click()
  const body = (await asked).postData() ?? ''
  for (const name of ['name', 'email', 'password', 'phone']) expect(body).toContain(`name="${name}"`)
  expect(body, 'no photo was chosen').not.toContain('name="image"')
  await toast(page, 'User registered successfully.')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(avatar(page, person)).toBeVisible()
  await expect(loginButton(page)).toHaveCount(0)
  await expect(page).toHaveURL('/about')
  expect(await (await sessionOf(page.context())).must('GET', '/api/user/isAuth')).toMatchObject({
    name: person.name,
    email: person.email,
    phone: person.phone,
    image: '',
  })
})

// spec: 7.shopper.11
test('a photo is shown before it is sent, and is the avatar afterwards', ON_PHONE, async ({ page }) => {
  const person = somebody()
  await open(page, '/about')
  const dialog = await loginDialog(page, 'Sign Up')
  await fillSignUp(dialog, person)
  await dialog.getByLabel(/^Profile photo/).setInputFiles(PHOTO)
  await expect(dialog.getByRole('img', { name: 'Preview of the photo' })).toBeVisible()
  await submit(dialog, 'Create Account').click()
  await toast(page, 'User registered successfully.')
  const picture = avatar(page, person).locator('img')
  await expect(picture).toHaveAttribute('src', /^\/media\/.+\.webp$/)
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth))
    .toBeGreaterThan(0)
})

// spec: 7.shopper.12, 8.success.6
test('logging in says so, closes the dialog, and the person has their name in the header', async ({
  page,
}) => {
  const person = somebody()
  await register(person)
  await open(page, '/products?search=rice')
  const dialog = await loginDialog(page)
  await fillLogin(dialog, person)
  const asked = page.waitForRequest(`**${LOGIN}`)
  await submit(dialog, 'Login').click()
  expect((await asked).postDataJSON()).toEqual({ email: person.email, password: person.password })
  await toast(page, 'Logged in successfully.')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(avatar(page, person)).toBeVisible()
  await expect(page).toHaveURL('/products?search=rice')
})

// spec: 7.answers.1, 8.auth.1
test(
  'a wrong password and an unknown e-mail get the same words, beside the form and as a message',
  ON_DESKTOP,
  async ({ page, allowConsole }) => {
    allowConsole(REFUSED)
    const person = somebody()
    await register(person)
    await open(page, '/about')
    const dialog = await loginDialog(page)
    for (const attempt of [
      { email: person.email, password: 'not-the-password' },
      { email: somebody().email, password: 'not-the-password' },
    ]) {
      await fillLogin(dialog, attempt)
      await submit(dialog, 'Login').click()
      await toast(page, 'Wrong email or password.')
      await expect(dialog.locator('form').getByText('Wrong email or password.')).toBeVisible()
      await expect(dialog.getByLabel('Email')).toHaveValue(attempt.email)
      await expect(dialog.getByLabel('Password', { exact: true })).toHaveValue('')
      await page.keyboard.press('Escape')
      await loginButton(page).click()
    }
    await fillLogin(dialog, person)
    await submit(dialog, 'Login').click()
    await toast(page, 'Logged in successfully.')
  },
)

// spec: 8.auth.2
test("an answer that says no without a reason: 'Login failed.'", ON_DESKTOP, async ({ page }) => {
  await unsuccessful(page, LOGIN)
  await open(page, '/about')
  const dialog = await loginDialog(page)
  await fillLogin(dialog, somebody())
  await submit(dialog, 'Login').click()
  await toast(page, 'Login failed.')
  await expect(dialog).toBeVisible()
})

// spec: 8.auth.4
test(
  "an answer that says no without a reason: 'Registration failed.', and nothing typed is lost",
  ON_DESKTOP,
  async ({ page }) => {
    await unsuccessful(page, REGISTER)
    const person = somebody()
    await open(page, '/about')
    const dialog = await loginDialog(page, 'Sign Up')
    await fillSignUp(dialog, person)
    await submit(dialog, 'Create Account').click()
    await toast(page, 'Registration failed.')
    await expect(dialog.getByLabel('Full name')).toHaveValue(person.name)
    await expect(dialog.getByLabel('Email')).toHaveValue(person.email)
  },
)

for (const [way, call] of [
  ['log in', LOGIN],
  ['sign up', REGISTER],
] as const) {
  // spec: 8.auth.3
  test(
    `no answer when one wants to ${way}: 'Something went wrong. Please try again.'`,
    ON_DESKTOP,
    async ({ page, allowConsole }) => {
      allowConsole(BROKEN)
      await unreachable(page, call)
      const person = somebody()
      await open(page, '/about')
      const dialog = await loginDialog(page, call === LOGIN ? 'Login' : 'Sign Up')
      if (call === LOGIN) await fillLogin(dialog, person)
      else await fillSignUp(dialog, person)
      await submit(dialog, call === LOGIN ? 'Login' : 'Create Account').click()
      await toast(page, 'Something went wrong. Please try again.')
      await expect(dialog.locator('form').getByText('Something went wrong. Please try again.')).toBeVisible()
      await page.unrouteAll()
      // The form is as usable as before.
      await dialog.getByLabel('Password', { exact: true }).fill(person.password)
      await submit(dialog, call === LOGIN ? 'Login' : 'Create Account').click()
      if (call === LOGIN) {
        allowConsole(REFUSED)
        await toast(page, 'Wrong email or password.')
      } else await toast(page, 'User registered successfully.')
    },
  )
}

// spec: 8.auth.4
test(
  'what the server refuses at registration is said in its words',
  ON_PHONE,
  async ({ page, allowConsole }) => {
    allowConsole(REFUSED)
    const taken = somebody()
    await register(taken)
    const person = somebody()
    await open(page, '/about')
    const dialog = await loginDialog(page, 'Sign Up')
    for (const [wrong, text] of [
      [{ email: taken.email }, 'This email already has an account. Please log in.'],
      [{ email: 'no-dot@domain' }, 'Valid email is required'],
      [{ phone: '98412' }, 'Valid 10-digit phone number is required'],
      [{ password: 'short' }, 'Please choose a password of at least 8 characters.'],
      [{ password: 'password1' }, 'This password is too easy to guess. Please choose another one.'],
    ] as const) {
      await fillSignUp(dialog, { ...person, ...wrong })
      await submit(dialog, 'Create Account').click()
      await expect(dialog.locator('form').getByText(text, { exact: true })).toBeVisible()
      await toast(page, text)
    }
    // It is not a picture, whatever its name says: only the server can tell.
    await fillSignUp(dialog, person)
    await dialog.getByLabel(/^Profile photo/).setInputFiles(NOT_A_PHOTO)
    await submit(dialog, 'Create Account').click()
    await toast(page, 'Invalid file type. Please upload a JPEG, PNG, GIF, or WebP image.')
    await expect(loginButton(page)).toBeAttached()
  },
)

test('a phone number may be typed with prefix, spaces and Nepali digits', ON_DESKTOP, async ({ page }) => {
  const person = somebody()
  await open(page, '/about')
  const dialog = await loginDialog(page, 'Sign Up')
  await fillSignUp(dialog, { ...person, phone: '+977 ९८४१-२३४ ५६७' })
  await submit(dialog, 'Create Account').click()
  await toast(page, 'User registered successfully.')
  const user = await (await sessionOf(page.context())).must<{ phone: string }>('GET', '/api/user/isAuth')
  expect(user.phone).toBe('9841234567')
})

test('the password can be looked at, and a page never keeps it', ON_DESKTOP, async ({ page }) => {
  await open(page, '/about')
  const dialog = await loginDialog(page)
  const password = dialog.getByLabel('Password', { exact: true })
  await expect(password).toHaveAttribute('type', 'password')
  await expect(password).toHaveAttribute('autocomplete', 'current-password')
  await dialog.getByRole('button', { name: 'Show password' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  await dialog.getByRole('button', { name: 'Hide password' }).click()
  await expect(password).toHaveAttribute('type', 'password')
  await password.fill('typed-but-not-sent')
  await page.keyboard.press('Escape')
  await loginButton(page).click()
  await expect(password).toHaveValue('')
})

test('in Nepali the dialog and its messages are Nepali', ON_PHONE, async ({ page, allowConsole }) => {
  allowConsole(REFUSED)
  await page.context().addCookies([{ name: 'lang', value: 'ne', url: test.info().project.use.baseURL ?? '' }])
  await open(page, '/about')
  await page.getByRole('banner').getByRole('button', { name: 'लग इन' }).click()
  const dialog = page.getByRole('dialog', { name: 'लग इन' })
  await dialog.locator('input[type=email]').fill(somebody().email)
  await dialog.locator('input[type=password]').fill('not-the-password')
  await dialog.locator('form button[type=submit]').click()
  await expect(page.getByTestId('toast')).toHaveText(/\p{Script=Devanagari}/u)
  await expect(page.getByTestId('toast')).not.toHaveText(/[A-Za-z]{3}/)
})
