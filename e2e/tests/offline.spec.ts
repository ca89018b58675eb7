import { cartCount, expect, OFFLINE, open, test, toast } from '../support/shop.ts'

const BAR = 'You are offline. You can browse and fill your cart. Ordering needs a connection.'

test('without a connection a bar says so, the cart still fills, and the return is announced for four seconds', async ({
  page,
  context,
  allowConsole,
}) => {
  allowConsole(OFFLINE)
  await page.clock.install()
  await open(page, '/products')
  const bar = page.locator('.offline-bar')
  await expect(bar).toHaveCount(0)
  await context.setOffline(true)
  await expect(bar).toHaveText(BAR)
  await page.locator('main article.card').first().getByRole('button', { name: 'Add to Cart' }).click()
  await toast(page, 'Added to cart')
  await expect(cartCount(page)).toHaveText('1')
  await context.setOffline(false)
  await expect(bar).toHaveText('You are back online.')
  await page.clock.runFor(4100)
  await expect(bar).toHaveCount(0)
})

test('the newsletter waits for a connection and says why', async ({ page, context }) => {
  await open(page, '/offers')
  const button = page.locator('form.newsletter-form button')
  await expect(button).toBeEnabled()
  await context.setOffline(true)
  await expect(button).toBeDisabled()
  await expect(page.locator('.newsletter-note')).toHaveText(BAR)
  await context.setOffline(false)
  await expect(button).toBeEnabled()
})
