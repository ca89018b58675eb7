import { expect, open, test } from '../support/shop.ts'

// spec: 2.offers.1, 2.offers.2, 2.offers.3, 6.visitor.1
test('the offers page announces the mega offer, lists no product and leads to the products', async ({
  page,
}) => {
  await open(page, '/offers')
  await expect(
    page.getByRole('heading', { level: 1, name: "Today's Best Offers & Deals", exact: true }),
  ).toBeVisible()
  await expect(page.getByText('Mega Offer Are Coming Soon!', { exact: true })).toBeVisible()
  await expect(page.getByRole('main').locator('article')).toHaveCount(0)
  await expect(page).toHaveTitle('Offers – Thunse')
  await page.getByRole('link', { name: 'Explore Products', exact: true }).click()
  await expect(page).toHaveURL('/products')
})
