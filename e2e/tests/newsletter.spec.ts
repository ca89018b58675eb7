import { randomUUID } from 'node:crypto'
import { expect, listen, open, test, toast } from '../support/shop.ts'

const CALL = '/api/subscriber/add_subscriber'
const FAILURE = 'Email already exists or invalid email address'

// spec: 2.home.6, 5.newsletter.1, 6.visitor.3, 7.shopper.4, 8.newsletter.1, 8.success.1
test('the browser stops a malformed address, a good one is subscribed, and the same again is refused', async ({
  page,
  allowConsole,
}) => {
  allowConsole(/status of 409/)
  const sent = listen(page, CALL)
  await open(page, '/')
  const field = page.getByLabel('Email address')
  const button = page.locator('form.newsletter-form button')
  await button.click()
  expect(await field.evaluate((input: HTMLInputElement) => input.validity.valueMissing)).toBe(true)
  await field.fill('abc')
  await button.click()
  expect(await field.evaluate((input: HTMLInputElement) => input.validity.typeMismatch)).toBe(true)

  const email = `e2e-${randomUUID()}@example.com`
  await field.fill(email)
  await button.click()
  await toast(page, 'Subscribed successfully!')
  expect(
    sent.map((request) => request.postDataJSON()),
    'only the good one was sent',
  ).toEqual([{ email }])

  await field.fill(email)
  const answered = page.waitForResponse((response) => response.url().includes(CALL))
  await button.click()
  expect(await (await answered).json()).toMatchObject({ success: false, code: 'subscriber_exists' })
  await toast(page, FAILURE)
  await expect(page.locator('.newsletter-note')).toHaveText(FAILURE)
  await expect(field).toHaveValue(email)
})
