import type { Page } from '@playwright/test'
import { identity, issuer, misbehave, signInAtProvider, wayBack } from '../support/identity.ts'
import {
  fault,
  logIn,
  register,
  sessionOf,
  somebody,
  type User,
  unreachable,
  unsuccessful,
  Visitor,
} from '../support/people.ts'
import {
  avatar,
  BROKEN,
  expect,
  loginButton,
  loginDialog,
  ON_DESKTOP,
  open,
  REFUSED,
  test,
  toast,
} from '../support/shop.ts'

const FAILED = 'Google login failed.'
const TRY_AGAIN = 'Google login failed. Please try again.'

/** As on a device that has never signed in. The page is left first: it may still be asking for what is its person's. */
async function forgotten(page: Page) {
  await page.goto('about:blank')
  await page.context().clearCookies()
}

async function toProvider(page: Page, from = '/about') {
  await open(page, from)
  const dialog = await loginDialog(page)
  await dialog.getByText('Continue with Google').click()
  await expect(page).toHaveURL(new RegExp(`^${issuer()}/interaction/`))
}

const whoAmI = async (page: Page) => (await sessionOf(page.context())).must<User>('GET', '/api/user/isAuth')

// spec: 2.auth.2, 7.shopper.9, 8.success.7
test('sign-in through the provider: there, back to the same page, and in', async ({ page }) => {
  const maya = identity()
  await toProvider(page, '/products?search=rice')
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
  expect(await whoAmI(page)).toMatchObject({
    email: maya.email,
    name: maya.name,
    google: true,
    hasPassword: false,
    emailConfirmed: true,
  })
})

test(
  'coming back with the same identity is the same account, even when the e-mail has changed at the provider',
  ON_DESKTOP,
  async ({ page }) => {
    const maya = identity()
    await toProvider(page)
    await signInAtProvider(page, maya)
    await toast(page, 'Google login successful!')
    const first = await whoAmI(page)
    await forgotten(page)
    await toProvider(page)
    await signInAtProvider(page, { ...maya, email: identity().email })
    await toast(page, 'Google login successful!')
    const second = await whoAmI(page)
    expect(second._id).toBe(first._id)
    expect(second.email, 'the shop’s own address stays').toBe(maya.email)
  },
)

test(`cancelling at the provider: '${TRY_AGAIN}', and one can still log in`, ON_DESKTOP, async ({ page }) => {
  await toProvider(page)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL('/about')
  await toast(page, TRY_AGAIN)
  await expect(loginButton(page)).toBeVisible()
  await page.reload()
  await expect(loginButton(page)).toBeVisible()
  await expect(page.getByTestId('toast'), 'a reload does not say it again').toHaveCount(0)
})

for (const way of [
  'wrong-nonce',
  'no-nonce',
  'wrong-audience',
  'wrong-issuer',
  'expired',
  'not-yet',
  'unsigned',
  'symmetric',
  'other-key',
  'unknown-key',
  'missing',
  'server-error',
]) {
  test(
    `a provider whose ID token is not right (${way}) lets nobody in`,
    ON_DESKTOP,
    async ({ page, allowConsole }) => {
      allowConsole(REFUSED)
      const maya = identity()
      await misbehave(maya, way)
      await toProvider(page)
      await signInAtProvider(page, maya)
      await toast(page, TRY_AGAIN)
      await expect(loginButton(page)).toBeVisible()
      const visitor = await sessionOf(page.context())
      expect(await visitor.isSignedIn()).toBe(false)
      expect((await visitor.call('GET', '/api/user/google/identity')).status).toBe(401)
    },
  )
}

test('a provider that has changed its key is asked for the new one', ON_DESKTOP, async () => {
  // A shop that has just looked for a key in vain looks again only after ten seconds, so a second try may be needed.
  await expect(async () => {
    const maya = identity()
    await misbehave(maya, 'rotated-key')
    const visitor = new Visitor()
    const start = await visitor.call('GET', '/api/user/google/start?return=/about')
    const callback = new URL(await wayBack(start.headers.get('location') ?? '', maya))
    const back = await visitor.call('GET', callback.pathname + callback.search)
    expect(back.headers.get('location')).toContain('google=verified')
    await visitor.must('POST', '/api/user/googleLogin', {
      email: maya.email,
      name: maya.name,
      image: '',
      phone: '',
    })
  }).toPass({ timeout: 25_000, intervals: [3000] })
})

test(
  'an e-mail that the provider has not verified opens no account',
  ON_DESKTOP,
  async ({ page, allowConsole }) => {
    allowConsole(REFUSED)
    await toProvider(page)
    await signInAtProvider(page, identity({ verified: false }))
    await expect(page.getByTestId('toast')).toHaveText(new RegExp(`^${FAILED}`))
    await expect(loginButton(page)).toBeVisible()
  },
)

test('an account with a password is connected only after that password was given once', async ({
  page,
  context,
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
  expect(await (await sessionOf(context)).isSignedIn(), 'not in yet').toBe(false)

  await dialog.getByLabel('Password', { exact: true }).fill('a guess that is wrong')
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  await toast(page, 'Wrong email or password.')
  expect(await (await sessionOf(context)).isSignedIn()).toBe(false)

  await dialog.getByLabel('Password', { exact: true }).fill(person.password)
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  await toast(page, 'Google login successful!')
  await expect(avatar(page, person)).toBeVisible()
  expect(await whoAmI(page)).toMatchObject({
    email: person.email,
    name: person.name,
    google: true,
    hasPassword: true,
  })

  // From now on without a password.
  await forgotten(page)
  await toProvider(page)
  await signInAtProvider(page, hari)
  await toast(page, 'Google login successful!')
  await logIn(person)
})

// spec: 8.auth.5
test(`an unsuccessful googleLogin: '${FAILED}'`, ON_DESKTOP, async ({ page }) => {
  await unsuccessful(page, '/api/user/googleLogin')
  await toProvider(page)
  await signInAtProvider(page, identity())
  await toast(page, FAILED)
  await expect(loginButton(page)).toBeVisible()
})

for (const way of ['no connection', 'a broken server'] as const) {
  // spec: 8.auth.6
  test(`googleLogin with ${way}: '${TRY_AGAIN}'`, ON_DESKTOP, async ({ page, allowConsole }) => {
    allowConsole(BROKEN)
    await (way === 'no connection' ? unreachable : fault)(page, '/api/user/googleLogin')
    await toProvider(page)
    await signInAtProvider(page, identity())
    await toast(page, TRY_AGAIN)
    await expect(loginButton(page)).toBeVisible()
  })
}

test.describe('take-overs, all refused', ON_DESKTOP, () => {
  const claim = (email: string) => ({ email, name: 'Mallory', image: '', phone: '' })

  test('googleLogin with anybody’s e-mail and no verified identity', async () => {
    const victim = somebody()
    await register(victim)
    const mallory = new Visitor()
    const answer = await mallory.call('POST', '/api/user/googleLogin', claim(victim.email))
    expect(answer).toMatchObject({
      status: 401,
      body: { success: false, code: 'google_failed', message: FAILED },
    })
    expect(await mallory.isSignedIn()).toBe(false)
  })

  /** Goes all the way to a verified identity, and stops there. */
  async function verified(page: Page, who = identity()) {
    await page.route('**/api/user/google/identity', (route) => route.abort())
    await toProvider(page)
    await signInAtProvider(page, who)
    await toast(page, TRY_AGAIN)
    return sessionOf(page.context())
  }

  test('a verified identity for another e-mail; and what is held can be used only once', async ({
    page,
    allowConsole,
  }) => {
    allowConsole(BROKEN)
    const victim = somebody()
    await register(victim)
    const mallory = identity()
    const visitor = await verified(page, mallory)
    expect((await visitor.call('GET', '/api/user/google/identity')).body.data).toMatchObject({
      email: mallory.email,
    })
    const stolen = await visitor.call('POST', '/api/user/googleLogin', claim(victim.email))
    expect(stolen).toMatchObject({ status: 401, body: { code: 'google_failed' } })
    expect(await visitor.isSignedIn()).toBe(false)
    // What one browser holds, another one does not.
    expect((await new Visitor().call('POST', '/api/user/googleLogin', claim(mallory.email))).status).toBe(401)
  })

  test('a used identity is used up', async ({ page, allowConsole }) => {
    allowConsole(BROKEN)
    const maya = identity()
    const visitor = await verified(page, maya)
    const before = new Map(visitor.cookies)
    await visitor.must('POST', '/api/user/googleLogin', claim(maya.email))
    const again = new Visitor()
    again.cookies = before
    expect((await again.call('POST', '/api/user/googleLogin', claim(maya.email))).status).toBe(401)
  })

  test('a replayed callback and a made-up state', async ({ page, context }) => {
    const maya = identity()
    const returned = page.waitForRequest('**/api/user/google/callback?*')
    await toProvider(page)
    await signInAtProvider(page, maya)
    const callback = new URL((await returned).url())
    await toast(page, 'Google login successful!')
    await forgotten(page)
    await page.goto(callback.href)
    await toast(page, TRY_AGAIN)
    await expect(loginButton(page)).toBeVisible()
    // Somebody else’s browser, with a link that the attacker has made from their own sign-in.
    callback.searchParams.set('state', 'made-up')
    await page.goto(callback.href)
    await toast(page, TRY_AGAIN)
    expect(await (await sessionOf(context)).isSignedIn()).toBe(false)
  })

  test('the callback of another browser’s sign-in signs nobody in here', async ({ page }) => {
    // The attacker keeps their own code unused and sends its address to the victim.
    const attacker = new Visitor()
    const start = await attacker.call('GET', '/api/user/google/start?return=/about')
    const callback = await wayBack(start.headers.get('location') ?? '', identity())
    expect(callback).toContain('/api/user/google/callback?code=')
    await page.goto(callback)
    await toast(page, TRY_AGAIN)
    await expect(loginButton(page)).toBeVisible()
    expect(await (await sessionOf(page.context())).isSignedIn()).toBe(false)
  })

  test('a password account made beforehand with the victim’s e-mail gives its maker nothing', async ({
    page,
    allowConsole,
  }) => {
    allowConsole(REFUSED)
    const victim = identity()
    const mallory = { ...somebody('Mallory'), email: victim.email }
    const theirs = await register(mallory)
    await toProvider(page)
    await signInAtProvider(page, victim)
    // The victim does not know Mallory’s password, so the two are not connected: they are not in Mallory’s account.
    await expect(page.getByRole('dialog', { name: 'Connect with Google' })).toBeVisible()
    expect(await (await sessionOf(page.context())).isSignedIn()).toBe(false)
    expect((await theirs.must<User>('GET', '/api/user/isAuth')).google).toBe(false)
  })

  test('the way back leads only into the shop', async () => {
    const visitor = new Visitor()
    for (const bad of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
      const start = await visitor.call(
        'GET',
        `/api/user/google/start?${new URLSearchParams({ return: bad })}`,
      )
      expect([303, 400, 422], bad).toContain(start.status)
      if (start.status === 303) expect(start.headers.get('location')).not.toContain('evil')
    }
  })

  test('the start asks for a code with PKCE, a state and a nonce, each new every time', async () => {
    const asks = await Promise.all(
      [1, 2].map(async () => {
        const { status, headers } = await new Visitor().call('GET', '/api/user/google/start?return=/cart')
        expect(status).toBe(303)
        return new URL(headers.get('location') ?? '').searchParams
      }),
    )
    for (const ask of asks) {
      expect(ask.get('response_type')).toBe('code')
      expect(ask.get('code_challenge_method')).toBe('S256')
      expect(ask.get('scope')?.split(' ')).toEqual(expect.arrayContaining(['openid', 'email', 'profile']))
    }
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(asks[0]?.get(name)?.length, name).toBeGreaterThan(20)
      expect(asks[0]?.get(name), name).not.toBe(asks[1]?.get(name))
    }
  })
})
