import type { Page } from '@playwright/test'
import { emailsTo, linkIn, waitForEmail, waitForReset, withLinkTo } from '../support/emails.ts'
import { logIn, register, somebody } from '../support/people.ts'
import {
  avatar,
  expect,
  listen,
  loginDialog,
  ON_DESKTOP,
  open,
  openFold,
  REFUSED,
  reload,
  test,
  toast,
} from '../support/shop.ts'

async function forgot(page: Page, email: string) {
  await open(page, '/about')
  const dialog = await loginDialog(page)
  await dialog.getByRole('button', { name: 'Forgot password?' }).click()
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByRole('button', { name: 'Email me a link' }).click()
  await expect(
    dialog.getByText(
      "If this email has an account, we've sent a link to reset the password. Check your spam folder too.",
    ),
  ).toBeVisible()
}

async function follow(page: Page, link: string, password: string) {
  // A changed fragment alone does not reload the page.
  await page.goto('about:blank')
  await open(page, link)
  await expect(page).toHaveURL('/reset-password')
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Save password' }).click()
}

test('a forgotten password: the link of the newest email works once, and every session is over', async ({
  page,
  allowConsole,
}) => {
  allowConsole(REFUSED)
  const person = somebody()
  const unknown = somebody()
  const elsewhere = await register(person)
  await forgot(page, unknown.email)
  await forgot(page, person.email)
  const older = await waitForReset(person.email)
  await forgot(page, person.email)
  const isReset = withLinkTo('/reset-password')
  const newer = linkIn(await waitForEmail(person.email, (email) => isReset(email) && linkIn(email) !== older))
  expect(await emailsTo(unknown.email), 'later emails have come, this one never will').toEqual([])

  const withToken = listen(page, 'token=')
  const asked = listen(page, '/api/user/password/reset')
  const password = somebody().password
  await follow(page, older, password)
  await toast(page, 'This link is no longer valid. Please request a new one.')
  await follow(page, newer, password)
  await expect(
    page.getByRole('heading', { level: 1, name: 'Your password has been changed. Please log in.' }),
  ).toBeVisible()
  expect(asked.at(-1)?.postDataJSON()).toEqual({ token: expect.any(String), password })
  expect(
    withToken.filter((request) => !new URL(request.url()).hash),
    'the token is in no address that is sent',
  ).toEqual([])

  expect(await elsewhere.isSignedIn(), 'other devices are signed out').toBe(false)
  await expect(logIn(person), 'the old password is of no use').rejects.toThrow(/401/)
  await logIn({ email: person.email, password })
  await waitForEmail(
    person.email,
    ({ subject, text }) => !text.includes('#token=') && /password/i.test(subject),
  )
  await follow(page, newer, somebody().password)
  await toast(page, 'This link is no longer valid. Please request a new one.')
})

test(
  'changing the password in the profile wants the old one and ends the other sessions',
  ON_DESKTOP,
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
    await toast(page, 'The current password is incorrect.')
    await change(shopper.password, 'password1')
    await toast(page, 'This password is too easy to guess. Please choose another one.')
    await change(shopper.password, next)
    await toast(page, 'Your password has been changed.')

    expect(await elsewhere.isSignedIn()).toBe(false)
    await reload(page)
    await expect(avatar(page, shopper), 'this device stays signed in').toBeVisible()
    await logIn({ email: shopper.email, password: next })
  },
)
