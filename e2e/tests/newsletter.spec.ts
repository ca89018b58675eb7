import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { BROKEN, expect, listen, open, test, toast } from '../support/shop.ts'

const CALL = '/api/subscriber/add_subscriber'
const FAILURE = 'Email already exists or invalid email address'
const someone = () => `e2e-${randomUUID()}@example.com`

const field = (page: Page) => page.getByLabel('Email address')
const button = (page: Page) => page.locator('form.newsletter-form button')

async function subscribe(page: Page, email: string) {
  await field(page).fill(email)
  await button(page).click()
}

// spec: 2.home.6, 2.shell.4, 5.newsletter.1, 6.visitor.3, 7.shopper.4, 8.success.1
test('the browser itself blocks an empty and a malformed address, and a good one is sent', async ({
  page,
}) => {
  const sent = listen(page, CALL)
  await open(page, '/')
  await button(page).click()
  expect(await field(page).evaluate((input: HTMLInputElement) => input.validity.valueMissing)).toBe(true)
  await subscribe(page, 'abc')
  expect(await field(page).evaluate((input: HTMLInputElement) => input.validity.typeMismatch)).toBe(true)
  expect(sent).toHaveLength(0)

  // The same listener does hear a real one.
  const email = someone()
  await subscribe(page, email)
  await toast(page, 'Subscribed successfully!')
  expect(sent).toHaveLength(1)
  expect(sent[0]?.postDataJSON()).toEqual({ email })
})

// spec: 4.newsletter.1, 8.success.1, 9.const.11
test("the button reads 'Subscribed!' for three seconds after success", async ({ page }) => {
  await page.clock.install({ time: new Date('2026-11-15T10:00:00Z') })
  await open(page, '/')
  await field(page).fill(someone())
  await page.clock.pauseAt(new Date('2026-11-15T11:00:00Z'))
  const answered = page.waitForResponse((response) => response.url().includes(CALL))
  await button(page).click()
  expect((await answered).ok()).toBe(true)
  await expect(async () => {
    await page.clock.runFor(5)
    expect(await button(page).textContent()).toBe('Subscribed!')
  }).toPass({ intervals: [10] })
  await toast(page, 'Subscribed successfully!')
  await page.clock.runFor(2850)
  await expect(button(page)).toHaveText('Subscribed!')
  await page.clock.runFor(250)
  await expect(button(page)).toHaveText('Subscribe')
})

// spec: 8.newsletter.1
test('an address that is already there is refused by the server, and the form says so', async ({
  page,
  allowConsole,
}) => {
  allowConsole(/status of 409/)
  const email = someone()
  await open(page, '/')
  await subscribe(page, email)
  await toast(page, 'Subscribed successfully!')
  const answered = page.waitForResponse((response) => response.url().includes(CALL))
  await subscribe(page, email)
  expect(await (await answered).json()).toMatchObject({ success: false, code: 'subscriber_exists' })
  await toast(page, FAILURE)
  await expect(page.locator('.newsletter-note')).toHaveText(FAILURE)
  await expect(field(page)).toHaveValue(email)
})

// spec: 8.newsletter.1
test('an address the browser lets through but the server refuses gets the same message', async ({
  page,
  allowConsole,
}) => {
  allowConsole(/status of 4(22|00)/)
  await open(page, '/')
  const answered = page.waitForResponse((response) => response.url().includes(CALL))
  await subscribe(page, 'no-dot@domain')
  expect(await (await answered).json()).toMatchObject({ success: false, code: 'email_invalid' })
  await toast(page, FAILURE)
})

// spec: 7.answers.1, 8.newsletter.1
test('a broken connection gives the same message and the address stays in the field', async ({
  page,
  allowConsole,
}) => {
  allowConsole(BROKEN)
  let asked = 0
  await page.route(`**${CALL}`, (route) => {
    asked += 1
    return route.abort()
  })
  const email = someone()
  await open(page, '/')
  await subscribe(page, email)
  await toast(page, FAILURE)
  expect(asked).toBe(1)
  await expect(field(page)).toHaveValue(email)
})

test('the offers page has the form as well', async ({ page }) => {
  await open(page, '/offers')
  await subscribe(page, someone())
  await toast(page, 'Subscribed successfully!')
})
