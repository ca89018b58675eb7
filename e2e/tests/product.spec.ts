import { allProducts, priceTag, product, productPath } from '../support/api.ts'
import { cardNames, cartCount, expect, NOT_FOUND, open, section, test, toast } from '../support/shop.ts'

// spec: 2.product.1, 2.product.2, 2.product.3, 2.product.4, 3.product.2, 3.product.3, 9.const.1
test('a product opened from its card shows everything about it', async ({ page }) => {
  const shown = await product(({ rating, stock }) => rating > 4.5 && rating < 5 && stock > 10)
  await open(page, `/products?search=${encodeURIComponent(shown.name)}`)
  await page.locator('article.card').getByRole('link', { name: shown.name, exact: true }).click()
  await expect(page).toHaveURL(productPath(shown))
  await expect(page).toHaveTitle(`${shown.name} – Thunse`)
  const detail = page.locator('article.detail')
  await expect(page.getByRole('heading', { level: 1, name: shown.name })).toBeVisible()
  await expect(detail.locator('.detail-picture .picture')).toBeVisible()
  await expect(detail.getByRole('link', { name: shown.category })).toHaveAttribute(
    'href',
    `/category/${shown.categorySlug}`,
  )
  await expect(detail.locator('.detail-price .price')).toHaveText(priceTag(shown))
  await expect(detail).toContainText(shown.description)
  await expect(detail).toContainText(`${shown.reviews} reviews`)
  await expect(detail).toContainText(`(${shown.stock} available)`)
  await expect(detail.getByRole('group', { name: 'Quantity' })).toBeVisible()
  await expect(detail.getByRole('button', { name: 'Add to Cart' })).toBeEnabled()
  await expect(detail.getByRole('list', { name: 'Tags' }).getByRole('listitem')).toHaveText(shown.tags)
  // Rounded down: 4.6 is four stars.
  const stars = detail.getByRole('img', {
    name: `Rated ${shown.rating.toFixed(1)} out of 5, ${shown.reviews} reviews`,
  })
  await expect(stars.locator('.star')).toHaveCount(5)
  await expect(stars.locator('.star:not(.star-off)')).toHaveCount(4)
})

// spec: 2.product.6
test('related products are of the same category and leave out the product itself', async ({ page }) => {
  const shown = await product(({ stock }) => stock > 10)
  const others = (await allProducts({ category: shown.categorySlug }))
    .map(({ name }) => name)
    .filter((name) => name !== shown.name)
  await open(page, productPath(shown))
  const related = await cardNames(section(page, 'Related products'))
  expect(related.length).toBe(Math.min(8, others.length))
  for (const name of related) expect(others).toContain(name)
})

// spec: 2.product.3, 2.product.5, 4.cart.1
test('the stepper stays between 1 and the stock, and Add to Cart adds all at once with one message', async ({
  page,
}) => {
  const scarce = await product(({ stock }) => stock >= 4 && stock <= 8)
  await open(page, productPath(scarce))
  const less = page.getByRole('button', { name: 'Decrease quantity' })
  const more = page.getByRole('button', { name: 'Increase quantity' })
  const quantity = page.getByRole('textbox', { name: 'Quantity' })
  await expect(quantity).toHaveValue('1')
  await expect(less).toBeDisabled()
  await expect(more).toBeEnabled()
  for (let n = 2; n <= scarce.stock; n++) {
    await more.click()
    await expect(quantity).toHaveValue(String(n))
  }
  await expect(more).toBeDisabled()
  await expect(page.getByText(`Only ${scarce.stock} available`)).toBeVisible()
  await quantity.fill('999')
  await quantity.press('Enter')
  await expect(quantity).toHaveValue(String(scarce.stock))
  await quantity.fill('0')
  await quantity.press('Enter')
  await expect(quantity).toHaveValue('1')

  await more.click()
  await more.click()
  await page.locator('article.detail').getByRole('button', { name: 'Add to Cart' }).click()
  await toast(page, 'Added to cart')
  await expect(page.getByTestId('toast')).toHaveCount(1)
  await expect(cartCount(page)).toHaveText('3')
  await expect(page.getByText('In your cart: 3')).toBeVisible()
})

test('the cart never takes more than the stock', async ({ page }) => {
  const scarce = await product(({ stock }) => stock >= 4 && stock <= 8)
  await open(page, productPath(scarce))
  const quantity = page.getByRole('textbox', { name: 'Quantity' })
  const add = page.locator('article.detail').getByRole('button', { name: 'Add to Cart' })
  await quantity.fill(String(scarce.stock))
  await quantity.press('Enter')
  await add.click()
  await expect(cartCount(page)).toHaveText(String(scarce.stock))
  await expect(add).toBeDisabled()
})

test('a product without stock says so and cannot be added', async ({ page }) => {
  const gone = await product(({ stock }) => stock === 0)
  await open(page, productPath(gone))
  await expect(page.getByText('(0 available)')).toBeVisible()
  await expect(page.locator('article.detail').getByTestId('stock-badge')).toHaveText('Out of stock')
  await expect(page.locator('article.detail').getByRole('button', { name: 'Add to Cart' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Increase quantity' })).toBeDisabled()
  await open(page, `/products?search=${encodeURIComponent(gone.name)}`)
  const card = page.locator('article.card').filter({ hasText: gone.name }).first()
  await expect(card.getByTestId('stock-badge')).toHaveText('Out of stock')
  await expect(card.getByRole('button', { name: 'Add to Cart' })).toBeDisabled()
})

test('the category in the address does not matter, only the id does', async ({ page }) => {
  const shown = await product(({ stock }) => stock > 10)
  await open(page, `/product/whatever/${shown.id}`)
  await expect(page.getByRole('heading', { level: 1, name: shown.name })).toBeVisible()
})

for (const id of ['does-not-exist', '00000000-0000-7000-8000-000000000000']) {
  // spec: 2.product.7, 2.product.8
  test(`an unknown id (${id}) says 'Product not found' and leads back to the categories`, async ({
    page,
    allowConsole,
  }) => {
    allowConsole(NOT_FOUND)
    const answer = await page.goto(`/product/x/${id}`)
    expect(answer?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1, name: 'Product not found' })).toBeVisible()
    await expect(page).toHaveTitle('Product not found – Thunse')
    await page.getByRole('link', { name: 'Back to Categories' }).click()
    await expect(page).toHaveURL('/categories')
  })
}
