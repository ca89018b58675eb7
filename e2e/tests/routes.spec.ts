import type { Page } from '@playwright/test'
import { register, somebody } from '../support/people.ts'
import { everyRoute } from '../support/routes.ts'
import { avatar, expect, NOT_FOUND, takenOver, test } from '../support/shop.ts'
import { dropTimers } from '../support/timers.ts'

/** Checks the header of a shopper's page; on a phone the links are behind its button. */
async function wholeHeader(page: Page) {
  const header = page.getByRole('banner')
  await expect(header.getByRole('link', { name: 'Thunse' })).toHaveAttribute('href', '/')
  await expect(header.getByRole('button', { name: 'Open menu' })).toBeVisible()
  await expect(page.getByPlaceholder('Search products...')).toHaveCount(1)
  await expect(header.getByRole('link', { name: /^Cart/ })).toHaveAttribute('href', '/cart')
  await expect(page.getByRole('contentinfo')).toHaveCount(1)
}

// spec: 2.routes.1, 2.header.1, 2.header.7, 2.header.8
test('every address has its own page, with the title that the server gave it, under the whole header', async ({
  page,
  allowConsole,
}) => {
  allowConsole(NOT_FOUND)
  // Disables the delay after which the app starts anyway, so that only a paint can start it, and the one after which
  // the page for a payment without an order leads to the home page.
  await dropTimers(page, 2500, 3000)
  const visit = async (path: string, heading: string, status = 200) => {
    const answer = await page.goto(path)
    expect(answer?.status(), path).toBe(status)
    const html = (await answer?.text()) ?? ''
    const served = await page.evaluate(
      (text) => new DOMParser().parseFromString(text, 'text/html').title,
      html,
    )
    await takenOver(page)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    return served
  }

  for (const { path, heading, status } of await everyRoute()) {
    await expect(page).toHaveTitle(await visit(path, heading, status))
    await wholeHeader(page)
    await expect(page.getByRole('banner').getByRole('button', { name: 'Login' })).toBeVisible()
  }
  await visit('/seller', 'Seller login')
  await expect(page.getByRole('main').getByLabel('Password', { exact: true })).toBeVisible()

  const person = somebody()
  await (await register(person)).enter(page.context())
  for (const [path, heading] of [
    ['/profile', 'Profile'],
    ['/add_address', 'Add an address'],
    ['/orders', 'My Orders'],
  ] as const) {
    await visit(path, heading)
    await wholeHeader(page)
    await expect(avatar(page, person)).toBeVisible()
    await expect(page.getByRole('banner').getByRole('button', { name: 'Login' })).toHaveCount(0)
  }
})
