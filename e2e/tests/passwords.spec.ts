import type { Page } from '@playwright/test'
import { lettersTo, letterTo, waitForConfirmation, waitForReset, withLinkTo } from '../support/letters.ts'
import { formOf, logIn, register, somebody, type User, Visitor } from '../support/people.ts'
import {
  avatar,
  expect,
  listen,
  loginDialog,
  ON_DESKTOP,
  ON_PHONE,
  open,
  openFold,
  REFUSED,
  test,
  toast,
} from '../support/shop.ts'

const SENT = 'If this email has an account, a letter with a link is on its way.'
const OLD_LINK = 'This link is no longer valid. Please ask for a new one.'

async function forgot(page: Page, email: string) {
  await open(page, '/about')
  const dialog = await loginDialog(page)
  await dialog.getByRole('button', { name: 'Forgot password?' }).click()
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByRole('button', { name: 'Send the link' }).click()
  await expect(dialog.getByText(SENT)).toBeVisible()
}

async function chooseNew(page: Page, password: string) {
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Save password' }).click()
}

const changed = (page: Page) =>
  page.getByRole('heading', { level: 1, name: 'Your password has been changed. Please log in.' })

test('a forgotten password: a letter, its link, a new password, and every session is over', async ({
  page,
}) => {
  const person = somebody()
  const elsewhere = await register(person)
  await forgot(page, person.email)
  const link = await waitForReset(person.email)

  const leaked = listen(page, '#')
  const asked = listen(page, '/api/user/password/reset')
  await page.goto(link)
  await expect(page).toHaveURL('/reset-password')
  const password = somebody().password
  await chooseNew(page, password)
  await expect(changed(page)).toBeVisible()
  expect(asked[0]?.postDataJSON()).toEqual({ token: expect.any(String), password })
  expect(
    leaked.filter((request) => request.url().includes('token')),
    'the token is in no address that is sent',
  ).toEqual([])

  expect(await elsewhere.isSignedIn(), 'other devices are signed out').toBe(false)
  expect(
    (await new Visitor().call('POST', '/api/user/login', { email: person.email, password: person.password }))
      .status,
  ).toBe(401)
  await logIn({ email: person.email, password })
  // Whoever owns the address hears of it.
  await letterTo(person.email, ({ text }) => !text.includes('#token=') && /password/i.test(text))
})

test('a link works once, and an invented one never', ON_DESKTOP, async ({ page, allowConsole }) => {
  allowConsole(REFUSED)
  const person = somebody()
  await register(person)
  await new Visitor().must('POST', '/api/user/password/forgot', { email: person.email })
  const link = await waitForReset(person.email)
  const token = new URL(link).hash.slice('#token='.length)
  await new Visitor().must('POST', '/api/user/password/reset', { token, password: somebody().password })
  for (const bad of [link, link.replace(/token=.*/, `token=${'A'.repeat(token.length)}`)]) {
    // A changed fragment alone would not load the page anew.
    await page.goto('about:blank')
    await page.goto(bad)
    await chooseNew(page, somebody().password)
    await toast(page, OLD_LINK)
  }
})

test('a newer letter makes the older link invalid', ON_DESKTOP, async () => {
  const person = somebody()
  await register(person)
  const ask = () => new Visitor().must('POST', '/api/user/password/forgot', { email: person.email })
  await ask()
  const first = new URL(await waitForReset(person.email)).hash.slice('#token='.length)
  await ask()
  await expect
    .poll(async () => (await lettersTo(person.email)).filter(withLinkTo('/reset-password')).length)
    .toBe(2)
  const old = await new Visitor().call('POST', '/api/user/password/reset', {
    token: first,
    password: somebody().password,
  })
  expect(old).toMatchObject({ status: 422, body: { code: 'link_invalid' } })
})

test('an unknown address gets the same answer and no letter', ON_DESKTOP, async ({ page }) => {
  const nobody = somebody()
  await forgot(page, nobody.email)
  const known = somebody()
  await register(known)
  await new Visitor().must('POST', '/api/user/password/forgot', { email: known.email })
  await waitForReset(known.email)
  expect(await lettersTo(nobody.email), 'the later letter has come, this one never will').toEqual([])
})

test(
  'a new password that is too short or too common is refused in words, and the link can still be used',
  ON_PHONE,
  async ({ page, allowConsole }) => {
    allowConsole(REFUSED)
    const person = somebody()
    await register(person)
    await new Visitor().must('POST', '/api/user/password/forgot', { email: person.email })
    await page.goto(await waitForReset(person.email))
    await chooseNew(page, 'short')
    await expect(page.getByText('Please choose a password of at least 8 characters.').first()).toBeVisible()
    await chooseNew(page, 'password1')
    await toast(page, 'This password is too easy to guess. Please choose another one.')
    await chooseNew(page, somebody().password)
    await expect(changed(page)).toBeVisible()
  },
)

test(
  'a new account is confirmed by the link of its letter, signed in or not',
  ON_DESKTOP,
  async ({ page, shopper, browser, allowConsole }) => {
    allowConsole(REFUSED)
    const link = await waitForConfirmation(shopper.email)
    expect(await shopper.session.must<User>('GET', '/api/user/isAuth')).toMatchObject({
      emailConfirmed: false,
    })
    const elsewhere = await browser.newContext()
    const other = await elsewhere.newPage()
    await other.goto(link)
    await expect(other.getByRole('main').getByText('Your email address is confirmed.')).toBeVisible()
    await expect(other).toHaveURL(/\/confirm-email$/)
    await elsewhere.close()
    expect(await shopper.session.must<User>('GET', '/api/user/isAuth')).toMatchObject({
      emailConfirmed: true,
    })
    await page.goto(link)
    await expect(
      page
        .getByRole('main')
        .getByText(OLD_LINK)
        .or(page.getByRole('main').getByText('Your email address is confirmed.')),
    ).toBeVisible()
  },
)

test(
  'a letter has text and HTML in the language of whoever registered, and nothing from outside',
  ON_DESKTOP,
  async () => {
    const person = somebody('माया गुरुङ')
    const visitor = new Visitor()
    visitor.cookies.set('lang', 'ne')
    await visitor.must('POST', '/api/user/register', formOf(person))
    await waitForConfirmation(person.email)
    const letter = await letterTo(person.email, withLinkTo('/confirm-email'))
    expect(letter.subject).toMatch(/\p{Script=Devanagari}/u)
    expect(letter.text).toContain(person.name)
    expect(letter.html).toContain('lang="ne"')
    expect(letter.html).toContain(person.name)
    expect(letter.html).not.toMatch(/<(img|script|link)\b/)
    expect(letter.headers.from).toContain('@')
  },
)

test(
  'changing the password at the profile wants the old one and ends the other sessions',
  ON_PHONE,
  async ({ page, shopper, allowConsole }) => {
    allowConsole(REFUSED)
    const elsewhere = await logIn(shopper)
    const next = somebody().password
    await open(page, '/profile')
    const fold = await openFold(page, 'Password')
    const change = async (current: string, password: string) => {
      await fold.getByLabel('Current password', { exact: true }).fill(current)
      await fold.getByLabel('New password', { exact: true }).fill(password)
      await fold.getByRole('button', { name: 'Change password' }).click()
    }
    await change('not it at all', next)
    await toast(page, 'The current password is not right.')
    await expect(fold.getByLabel('Current password', { exact: true })).toHaveAttribute('aria-invalid', 'true')
    await change(shopper.password, 'password1')
    await toast(page, 'This password is too easy to guess. Please choose another one.')
    await change(shopper.password, next)
    await toast(page, 'Your password has been changed.')
    expect(await elsewhere.isSignedIn()).toBe(false)
    await page.reload()
    await expect(avatar(page, shopper), 'this device stays signed in').toBeVisible()
    await logIn({ email: shopper.email, password: next })
  },
)
