import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { shopUrl } from '../support/api.ts'
import { register, SELLER_COOKIE, SHOPPER_COOKIE, sessionOf, somebody, Visitor } from '../support/people.ts'
import { newSeller, sellerSession } from '../support/seller.ts'
import { avatar, expect, loginDialog, ON_DESKTOP, open, test, toast } from '../support/shop.ts'

test(
  'a session cookie has its prefix, HttpOnly, Secure and SameSite, scripts do not see it, and no cache keeps what is personal',
  ON_DESKTOP,
  async ({ page, context }) => {
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
    // Scripts see the hint cookie, but not the token.
    const seen = await page.evaluate(() => document.cookie)
    expect(seen).toContain('session=shopper')
    expect(seen).not.toContain(SHOPPER_COOKIE)

    const { email, password } = newSeller()
    const answer = await new Visitor().call('POST', '/api/seller/login', { email, password })
    const line = answer.headers.getSetCookie().find((each) => each.startsWith(SELLER_COOKIE)) ?? ''
    for (const part of [/; *HttpOnly/i, /; *Secure/i, /; *SameSite=(Lax|Strict)/i, /; *Path=\/(;|$)/i])
      expect(line).toMatch(part)
    expect(line).not.toMatch(/domain=/i)

    const session = await sessionOf(context)
    for (const path of ['/api/user/isAuth', '/api/user/sessions', '/api/address/get_addresses']) {
      const { status, headers } = await session.call('GET', path)
      expect(status, path).toBe(200)
      expect(headers.get('cache-control'), path).toMatch(/no-store/)
    }
  },
)

test.describe('from another site', ON_DESKTOP, () => {
  let attacker: Server
  let port = 0
  const page = (body: string) => `<!doctype html><meta charset="utf-8"><title>evil</title>${body}`
  const post = (action: string, fields: string, type = 'application/x-www-form-urlencoded') =>
    page(
      `<form method="post" action="${shopUrl()}${action}" enctype="${type}">${fields}</form><script>document.forms[0].submit()</script>`,
    )

  test.beforeAll(async () => {
    const pages: Record<string, string> = {
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
      '/frame': page(`<iframe src="${shopUrl()}/about"></iframe>`),
      '/fetch': page(
        `<script>window.done = Promise.allSettled([
          fetch('${shopUrl()}/api/user/logout', { method: 'POST', credentials: 'include', mode: 'no-cors' }),
          fetch('${shopUrl()}/api/user/logout', { credentials: 'include', mode: 'no-cors' }),
          fetch('${shopUrl()}/api/user/isAuth', { credentials: 'include' }).then((answer) => answer.text()),
        ]).then((all) => all.map(({ status }) => status))</script>`,
      ),
    }
    attacker = createServer((request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(pages[request.url ?? '/'] ?? page('nothing here'))
    })
    await new Promise<void>((ready) => attacker.listen(0, '127.0.0.1', ready))
    port = (attacker.address() as AddressInfo).port
  })
  test.afterAll(() => {
    attacker.close()
    attacker.closeAllConnections()
  })

  // To a browser 'localhost' is another site than 127.0.0.1; another port of 127.0.0.1 is another origin of the same
  // site.
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
      const from = `http://${host}:${port}`
      // Opening a page waits for its pictures, scripts and frames.
      await page.goto(`${from}/image`)
      await page.goto(`${from}/link`)
      const followed = page.waitForResponse('**/api/user/logout')
      await page.getByRole('link', { name: 'go' }).click()
      expect((await followed).status()).toBe(403)
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
      await page.goto(`${from}/frame`)
      const [, frame] = page.frames()
      await expect.poll(() => frame?.url(), 'no page can be framed').toMatch(/^chrome-error:/)

      await open(page, '/about')
      await expect(avatar(page, shopper), 'still signed in, under the own name').toBeVisible()
      expect(await shopper.session.isSignedIn()).toBe(true)
      expect(await shopper.session.must('GET', '/api/address/get_addresses')).toEqual([])
      expect((await seller.call('GET', '/api/seller/checkSeller')).status).toBe(200)
    })
  }
})
