import type { Page } from '@playwright/test'
import { identity, issuer, misbehave, signInAtProvider, wayBack } from '../support/identity.ts'
import { register, sessionOf, somebody, type User, Visitor } from '../support/people.ts'
import {
  avatar,
  expect,
  loginButton,
  loginDialog,
  ON_DESKTOP,
  open,
  openFold,
  REFUSED,
  reload,
  test,
  toast,
} from '../support/shop.ts'

// server/tests/it/google.rs proves that each invalid token is refused; these tests show what the shopper sees.

const TRY_AGAIN = 'Google login failed. Please try again.'

/** Clears the cookies. It leaves the page first, because the page may have pending requests. */
async function forgotten(page: Page) {
  await page.goto('about:blank')
  await page.context().clearCookies()
}

/** Returns the parameters that the shop sent to the provider. */
async function toProvider(page: Page, from = '/about'): Promise<URLSearchParams> {
  await open(page, from)
  const dialog = await loginDialog(page)
  const asked = page.waitForRequest((request) => new URL(request.url()).searchParams.has('code_challenge'))
  await dialog.getByText('Continue with Google').click()
  await expect(page).toHaveURL(new RegExp(`^${issuer()}/interaction/`))
  return new URL((await asked).url()).searchParams
}

const whoAmI = async (page: Page) => (await sessionOf(page.context())).must<User>('GET', '/api/user/isAuth')

async function expectNobody(page: Page) {
  await expect(loginButton(page)).toBeVisible()
  expect(await (await sessionOf(page.context())).isSignedIn()).toBe(false)
}

// spec: 2.auth.2, 7.shopper.9, 8.success.7
test('sign in through the provider and come back to the same page; the next time it is the same account', async ({
  page,
}) => {
  const maya = identity()
  const first = await toProvider(page, '/products?search=rice')
  const asked = page.waitForRequest('**/api/user/googleLogin')
  await signInAtProvider(page, maya)
  await toast(page, 'Google login successful!')
  expect((await asked).postDataJSON()).toEqual({
    email: maya.email,
    name: maya.name,
    image: expect.any(String),
    phone: '',
  })
  await expect(avatar(page, maya)).toBeVisible()
  await expect(page).toHaveURL('/products?search=rice')
  const account = await whoAmI(page)
  expect(account).toMatchObject({ email: maya.email, name: maya.name, google: true, hasPassword: false })

  await forgotten(page)
  const second = await toProvider(page)
  await signInAtProvider(page, { ...maya, email: identity().email })
  await toast(page, 'Google login successful!')
  expect(await whoAmI(page)).toMatchObject({ _id: account._id, email: maya.email })

  for (const request of [first, second]) {
    expect(request.get('response_type')).toBe('code')
    expect(request.get('code_challenge_method')).toBe('S256')
  }
  for (const name of ['state', 'nonce', 'code_challenge']) {
    expect(first.get(name)?.length, name).toBeGreaterThan(20)
    expect(first.get(name), `${name} is new every time`).not.toBe(second.get(name))
  }
})

test(
  'cancelling at the provider is said once, and the shopper can still log in',
  ON_DESKTOP,
  async ({ page, toasts }) => {
    await toProvider(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page).toHaveURL('/about')
    await toast(page, TRY_AGAIN)
    await expectNobody(page)
    await reload(page)
    await expect(loginButton(page)).toBeVisible()
    await loginDialog(page)
    expect(toasts, 'a reload does not say it again').toEqual([])
  },
)

test(
  'a provider that sends a wrong ID token, or an unverified email address, lets nobody in',
  ON_DESKTOP,
  async ({ page, allowConsole }) => {
    allowConsole(REFUSED)
    for (const lie of ['other-key', 'unverified']) {
      const mallory = identity({ verified: lie !== 'unverified' })
      if (mallory.verified) await misbehave(mallory, lie)
      await toProvider(page)
      await signInAtProvider(page, mallory)
      await toast(page, TRY_AGAIN)
      await expectNobody(page)
      // The provider would remember the previous person.
      await forgotten(page)
    }
  },
)

test(
  'the callback of another browser’s sign-in signs nobody in here, and the own one only once',
  ON_DESKTOP,
  async ({ page }) => {
    // The attacker leaves their own code unused and sends its URL to the victim.
    const attacker = new Visitor()
    const start = await attacker.call('GET', '/api/user/google/start?return=/about')
    const planted = await wayBack(start.headers.get('location') ?? '', identity())
    expect(planted).toContain('/api/user/google/callback?code=')
    await page.goto(planted)
    await toast(page, TRY_AGAIN)
    await expectNobody(page)

    const returned = page.waitForRequest('**/api/user/google/callback?*')
    await toProvider(page)
    await signInAtProvider(page, identity())
    await toast(page, 'Google login successful!')
    const callback = (await returned).url()
    await forgotten(page)
    await page.goto(callback)
    await toast(page, TRY_AGAIN)
    await expectNobody(page)
  },
)

test('an account with a password is linked after the password was given once, and unlinked in the profile', async ({
  page,
  allowConsole,
}) => {
  allowConsole(REFUSED)
  const person = somebody('Hari Thapa')
  await register(person)
  const hari = identity({ email: person.email, name: 'Somebody At Google' })
  await toProvider(page)
  await signInAtProvider(page, hari)
  const dialog = page.getByRole('dialog', { name: 'Connect with Google' })
  await expect(dialog).toContainText(person.email)
  expect(await (await sessionOf(page.context())).isSignedIn(), 'not in yet').toBe(false)
  const password = dialog.getByLabel('Password', { exact: true })
  await password.fill('a guess that is wrong')
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  await toast(page, 'Wrong email or password.')
  await password.fill(person.password)
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  await toast(page, 'Google login successful!')
  await expect(avatar(page, person)).toBeVisible()
  expect(await whoAmI(page)).toMatchObject({ name: person.name, google: true, hasPassword: true })

  await open(page, '/profile')
  const fold = await openFold(page, 'Google account')
  await fold.getByRole('button', { name: `Remove ${person.email}` }).click()
  const question = page.getByRole('dialog', { name: 'Remove this Google account?' })
  await question.getByRole('button', { name: 'Remove' }).click()
  await toast(page, 'The Google account was removed.')
  await expect(fold).toHaveCount(0)
  expect(await whoAmI(page)).toMatchObject({ google: false, hasPassword: true })
})
