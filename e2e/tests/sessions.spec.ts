import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { shopUrl } from '../support/api.ts'
import { logIn, register, SELLER_COOKIE, SHOPPER_COOKIE, somebody, Visitor } from '../support/people.ts'
import { newSeller, sellerSession } from '../support/seller.ts'
import { avatar, expect, loginDialog, ON_DESKTOP, open, REFUSED, test, toast } from '../support/shop.ts'

test.describe('sessions hold against those who want them', ON_DESKTOP, () => {
  test('the cookies: prefix, HttpOnly, Secure, SameSite, whole site, and unguessable', async ({
    page,
    context,
  }) => {
    const person = somebody()
    await register(person)
    await open(page, '/about')
    const dialog = await loginDialog(page)
    await dialog.getByLabel('Email').fill(person.email)
    await dialog.getByLabel('Password', { exact: true }).fill(person.password)
    await dialog.locator('form').getByRole('button', { name: 'Login', exact: true }).click()
    await toast(page, 'Logged in successfully.')
    const sid = (await context.cookies()).find(({ name }) => name === SHOPPER_COOKIE)
    expect(sid).toMatchObject({ httpOnly: true, secure: true, path: '/', domain: '127.0.0.1' })
    expect(['Lax', 'Strict']).toContain(sid?.sameSite)
    expect(sid?.value.length).toBeGreaterThanOrEqual(43)
    // Scripts see the mark beside it, and nothing of the token.
    const seen = await page.evaluate(() => document.cookie)
    expect(seen).toContain('session=shopper')
    expect(seen).not.toContain(SHOPPER_COOKIE)

    const seller = newSeller()
    const answer = await new Visitor().call('POST', '/api/seller/login', {
      email: seller.email,
      password: seller.password,
    })
    const line = answer.headers.getSetCookie().find((each) => each.startsWith(SELLER_COOKIE)) ?? ''
    for (const part of [/; *HttpOnly/i, /; *Secure/i, /; *SameSite=(Lax|Strict)/i, /; *Path=\/(;|$)/i])
      expect(line).toMatch(part)
    expect(line).not.toMatch(/domain=/i)
  })

  test('a session id that came before the login is not the one after it', async ({ page, context }) => {
    const person = somebody()
    await register(person)
    const fixed = new Visitor()
    fixed.cookies.set(SHOPPER_COOKIE, 'A'.repeat(43))
    await fixed.enter(context)
    await open(page, '/about')
    await page.evaluate(
      ({ email, password }) =>
        fetch('/api/user/login', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email, password }),
        }),
      person,
    )
    const after = (await context.cookies()).find(({ name }) => name === SHOPPER_COOKIE)?.value
    expect(after).not.toBe('A'.repeat(43))
    expect(await fixed.isSignedIn()).toBe(false)
    // Logging in anew makes the older one of this browser worthless as well.
    const first = await logIn(person)
    const old = new Visitor()
    old.cookies = new Map(first.cookies)
    await first.must('POST', '/api/user/login', { email: person.email, password: person.password })
    expect(first.cookies.get(SHOPPER_COOKIE)).not.toBe(old.cookies.get(SHOPPER_COOKIE))
    expect(await old.isSignedIn()).toBe(false)
  })

  for (const [how, end] of [
    ['logout', (session: Visitor) => session.must('GET', '/api/user/logout')],
    ['"end all sessions"', (session: Visitor) => session.must('POST', '/api/user/sessions/end_all')],
    [
      'a password change',
      (session: Visitor, password: string) =>
        session.must('POST', '/api/user/password/change', {
          currentPassword: password,
          newPassword: somebody().password,
        }),
    ],
  ] as const) {
    test(`a stolen cookie is worthless after ${how}`, async ({ shopper, page, context, allowConsole }) => {
      allowConsole(REFUSED)
      const thief = new Visitor()
      // A password change keeps the session it was made from; the thief sits on another one.
      thief.cookies =
        how === 'a password change' ? (await logIn(shopper)).cookies : new Map(shopper.session.cookies)
      expect(await thief.isSignedIn()).toBe(true)
      await end(shopper.session, shopper.password)
      expect(await thief.isSignedIn()).toBe(false)
      expect((await thief.call('GET', '/api/user/sessions')).status).toBe(401)
      await context.clearCookies()
      await thief.enter(context)
      await open(page, '/about')
      await expect(page.getByRole('banner').getByRole('button', { name: 'Login' })).toBeVisible()
    })
  }

  test('calls that change something are refused from elsewhere, whatever the cookie', async ({ shopper }) => {
    const { session, name, email, phone } = shopper
    for (const [method, path] of [
      ['POST', '/api/user/logout'],
      ['GET', '/api/user/logout'],
      ['POST', '/api/user/sessions/end_all'],
      ['POST', '/api/user/login'],
      ['POST', '/api/user/delete'],
      ['PUT', '/api/user/updateProfile'],
      ['POST', '/api/address/add_address'],
      ['POST', '/api/seller/login'],
      ['GET', '/api/seller/logout'],
    ] as const) {
      for (const headers of [
        { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
        { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
      ]) {
        const body = method === 'GET' ? undefined : { email, name, phone, password: 'x' }
        const answer = await session.call(method, path, body, headers)
        expect(answer.status, `${method} ${path} ${JSON.stringify(headers)}`).toBe(403)
      }
    }
    // Typed into the address bar or followed from a page of the shop: a navigation logs nobody out either.
    const typed = await session.call('GET', '/api/user/logout', undefined, {
      'sec-fetch-site': 'none',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    })
    expect(typed.status).toBe(403)
    expect(await session.isSignedIn()).toBe(true)
  })

  test.describe('from another site', () => {
    let attacker: Server
    let evil = ''
    const page = (body: string) => `<!doctype html><meta charset="utf-8"><title>evil</title>${body}`

    test.beforeAll(async () => {
      attacker = createServer((request, response) => {
        const { pathname } = new URL(request.url ?? '/', 'http://localhost')
        response.setHeader('content-type', 'text/html')
        const post = (action: string, fields: string, type = 'application/x-www-form-urlencoded') =>
          page(
            `<form method="post" action="${shopUrl()}${action}" enctype="${type}">${fields}</form><script>document.forms[0].submit()</script>`,
          )
        response.end(
          {
            '/image': page(
              `<img src="${shopUrl()}/api/user/logout"><img src="${shopUrl()}/api/seller/logout"><script src="${shopUrl()}/api/user/logout"></script><iframe src="${shopUrl()}/api/user/logout"></iframe>`,
            ),
            '/link': page(`<a href="${shopUrl()}/api/user/logout">go</a>`),
            '/form-logout': post('/api/user/logout', ''),
            '/form-everywhere': post('/api/user/sessions/end_all', ''),
            '/form-address': post(
              '/api/address/add_address',
              `<input name='{"address":"x","phone":"9841234567","street":"x","city":"x","state":"x","country":"x","pincode":"' value='1"}'>`,
              'text/plain',
            ),
            '/form-profile': post(
              '/api/user/updateProfile',
              '<input name="name" value="Mallory">',
              'multipart/form-data',
            ),
            '/form-login': post(
              '/api/user/login',
              `<input name='{"email":"m@example.com","password":"' value='x"}'>`,
              'text/plain',
            ),
            '/frame': page(`<iframe src="${shopUrl()}/profile"></iframe>`),
            '/fetch': page(
              `<script>window.done = Promise.allSettled([
                fetch('${shopUrl()}/api/user/logout', { method: 'POST', credentials: 'include', mode: 'no-cors' }),
                fetch('${shopUrl()}/api/user/logout', { credentials: 'include', mode: 'no-cors' }),
                fetch('${shopUrl()}/api/user/isAuth', { credentials: 'include' }).then((answer) => answer.text()),
              ]).then((all) => all.map(({ status }) => status))</script>`,
            ),
          }[pathname] ?? page('nothing here'),
        )
      })
      await new Promise<void>((ready) => attacker.listen(0, '127.0.0.1', ready))
      // 'localhost' is another site than 127.0.0.1 to a browser; another port of 127.0.0.1 is another origin of one site.
      evil = `http://localhost:${(attacker.address() as AddressInfo).port}`
    })
    test.afterAll(() => {
      attacker.close()
      attacker.closeAllConnections()
    })

    for (const host of ['localhost', '127.0.0.1']) {
      test(`pictures, scripts, frames, forms and calls of ${host} change nothing`, async ({
        page,
        context,
        shopper,
        allowConsole,
      }) => {
        allowConsole(/./)
        const seller = await sellerSession()
        await seller.enter(context)
        const from = evil.replace('localhost', host)
        await page.goto(`${from}/image`, { waitUntil: 'networkidle' })
        await page.goto(`${from}/link`)
        await page.getByRole('link', { name: 'go' }).click()
        await page.waitForLoadState()
        for (const form of ['logout', 'everywhere', 'address', 'profile', 'login']) {
          const answered = page.waitForResponse(
            (response) => response.url().startsWith(shopUrl()) && response.request().method() === 'POST',
          )
          await page.goto(`${from}/form-${form}`).catch(() => {})
          expect((await answered).status(), form).toBe(403)
        }
        await page.goto(`${from}/fetch`)
        const [, , read] = (await page.evaluate('window.done')) as string[]
        expect(read, 'another origin cannot read who is there').toBe('rejected')
        await open(page, '/about')
        await expect(avatar(page, shopper), 'still signed in, under the own name').toBeVisible()
        expect(await shopper.session.isSignedIn()).toBe(true)
        expect(await shopper.session.must('GET', '/api/address/get_addresses')).toEqual([])
        expect((await seller.call('GET', '/api/seller/checkSeller')).status).toBe(200)
      })
    }

    test('no page of the shop can be framed', async ({ page, allowConsole }) => {
      allowConsole(/./)
      await page.goto(`${evil}/frame`, { waitUntil: 'networkidle' })
      await expect(page.frameLocator('iframe').getByRole('banner')).toHaveCount(0)
    })
  })

  test('answers about people are never kept by caches', async ({ shopper }) => {
    for (const path of ['/api/user/isAuth', '/api/user/sessions', '/api/address/get_addresses']) {
      const { headers } = await shopper.session.call('GET', path)
      expect(headers.get('cache-control'), path).toMatch(/no-store/)
    }
  })
})
