import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { ownProducts, pathOf } from '../support/goods.ts'
import { cartCount, expect, holdApp, listen, takenOver, test, toast } from '../support/shop.ts'

/** Opens the page as the server sent it: with its styles, but without its module scripts. */
async function openFirstView(page: Page, path: string) {
  const { release } = await holdApp(page)
  await page.goto(path, { waitUntil: 'commit' })
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
  return release
}

test('taps on Add to Cart and on Login before React is there count, once each', async ({ page }) => {
  const { word, products } = await ownProducts(['Mustard Oil'])
  const name = products[0]?.name ?? ''
  const card = page.locator('main article.card')
  const add = card.getByRole('button', { name: 'Add to Cart' })
  const login = page.getByRole('banner').getByRole('button', { name: 'Login' })
  const release = await openFirstView(page, `/products?search=${word}`)
  await add.click()
  await expect(add).toHaveAttribute('aria-busy', 'true')
  // The button is still marked as pressed, so a second tap adds nothing.
  await add.click()
  await login.click()
  await expect(login).toHaveAttribute('aria-busy', 'true')
  await expect(page.locator('.toaster'), 'React is not there yet').toHaveCount(0)

  await release()
  await takenOver(page)
  await expect(page.getByRole('dialog').getByLabel('Password', { exact: true })).toBeVisible()
  await expect(cartCount(page)).toHaveText('1')
  await expect(card.locator('.stepper')).toContainText('1')
  await expect(card.locator('h3')).toHaveText(name)
})

test('before React is there a link leads on at once, and each tap on the quantity of a product counts', async ({
  page,
}) => {
  const { word, products } = await ownProducts(['Mustard Oil'])
  const [oil] = products
  if (!oil) throw new Error('no product was made')
  const release = await openFirstView(page, `/products?search=${word}`)
  await page.locator('main article.card').getByRole('link', { name: oil.name }).click()
  await expect(page).toHaveURL(pathOf(oil))
  await expect(page.getByRole('heading', { level: 1, name: oil.name })).toBeVisible()
  const more = page.locator('.buy-bar .stepper button').last()
  await more.click()
  await more.click()
  await page.locator('.buy-add').click()
  await expect(page.locator('.toaster'), 'React is not there yet').toHaveCount(0)
  await release()
  await expect(cartCount(page)).toHaveText('3')
})

test('an email address that is sent before React is there is subscribed, once', async ({ page }) => {
  const sent = listen(page, '/api/subscriber/add_subscriber')
  const email = `e2e-${randomUUID()}@example.com`
  const release = await openFirstView(page, '/offers')
  const field = page.getByLabel('Email address')
  await field.fill(email)
  await field.press('Enter')
  await expect(page.locator('form.newsletter-form button')).toHaveAttribute('aria-busy', 'true')
  await page.locator('form.newsletter-form button').click()
  await expect(page.locator('.toaster'), 'React is not there yet').toHaveCount(0)
  await release()
  await toast(page, 'Subscribed successfully!')
  expect(sent.map((request) => request.postDataJSON())).toEqual([{ email }])
})
