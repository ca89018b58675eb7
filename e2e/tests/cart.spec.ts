import type { Page } from '@playwright/test'
import { allProducts, product } from '../support/api.ts'
import { cartCount, expect, listen, open, test, toast } from '../support/shop.ts'

async function find(page: Page, name: string) {
  await open(page, `/products?search=${encodeURIComponent(name)}`)
  return page.locator('article.card').filter({ has: page.getByRole('link', { name, exact: true }) })
}

// spec: 2.cart.5, 2.cart.6
test("an empty cart says 'Your cart is empty' and leads to the products", async ({ page }) => {
  await open(page, '/cart')
  await expect(page.getByRole('heading', { level: 1, name: 'Your cart is empty' })).toBeVisible()
  await expect(cartCount(page)).toHaveCount(0)
  await page.getByRole('link', { name: 'Browse Products' }).click()
  await expect(page).toHaveURL('/products')
})

// spec: 2.header.5, 2.shell.4, 4.cart.1, 4.cart.2, 4.cart.3, 4.cart.5, 4.cart.6
test('adding from a card raises the count by one each time, with one message', async ({ page }) => {
  const { name } = await product(({ stock }) => stock > 10)
  const card = await find(page, name)
  await card.getByRole('button', { name: 'Add to Cart' }).click()
  await toast(page, 'Added to cart')
  await expect(cartCount(page)).toHaveText('1')
  await card.getByRole('button', { name: `Increase ${name}` }).click()
  await expect(cartCount(page)).toHaveText('2')
  await expect(page.getByTestId('toast')).toHaveCount(1)
  await expect(page.getByRole('link', { name: 'Cart, 2 items' })).toBeVisible()
  await card.getByRole('button', { name: `Decrease ${name}` }).click()
  await toast(page, 'Removed from cart')
  await expect(cartCount(page)).toHaveText('1')
  await card.getByRole('button', { name: `Decrease ${name}` }).click()
  await expect(cartCount(page)).toHaveCount(0)
  await expect(card.getByRole('button', { name: 'Add to Cart' })).toBeVisible()
})

test('a card stops at the stock', async ({ page }) => {
  const { name, stock } = await product((each) => each.stock >= 4 && each.stock <= 8)
  const card = await find(page, name)
  await card.getByRole('button', { name: 'Add to Cart' }).click()
  const more = card.getByRole('button', { name: `Increase ${name}` })
  for (let n = 2; n <= stock; n++) {
    await more.click()
    await expect(cartCount(page)).toHaveText(String(n))
  }
  await expect(more).toBeDisabled()
  await more.click({ force: true })
  await expect(cartCount(page)).toHaveText(String(stock))
})

// spec: 2.cart.1, 2.header.5, 4.cart.2, 4.cart.3, 4.cart.4, 4.cart.6, 4.cart.7, 9.const.6
test('the count is the sum of the quantities; lines shrink, go at zero, and the bin takes a whole line', async ({
  page,
}) => {
  const [rice, oil] = (await allProducts()).filter(({ stock }) => stock > 10)
  if (!rice || !oil) throw new Error('the demo shop is too small')
  for (const { name } of [rice, rice, oil]) {
    const card = await find(page, name)
    await card.getByRole('button', { name: new RegExp(`^(Add to Cart|Increase ${name})$`) }).click()
  }
  await expect(cartCount(page)).toHaveText('3')
  await page.getByRole('link', { name: 'Cart, 3 items' }).click()
  const lines = page.getByTestId('cart-line')
  await expect(lines).toHaveCount(2)
  await expect(lines.nth(0)).toContainText(rice.name)
  await expect(lines.nth(0)).toContainText(`Rs. ${(rice.price * 2).toFixed(2)}`)

  await page.getByRole('button', { name: `Decrease ${rice.name}` }).click()
  await toast(page, 'Removed from cart')
  await expect(cartCount(page)).toHaveText('2')
  await expect(lines).toHaveCount(2)
  await page.getByRole('button', { name: `Increase ${oil.name}` }).click()
  await expect(cartCount(page)).toHaveText('3')

  await page.getByRole('button', { name: `Remove ${oil.name}` }).click()
  await toast(page, 'Product removed from cart.')
  await expect(lines).toHaveCount(1)
  await expect(lines).toContainText(rice.name)
  await expect(cartCount(page)).toHaveText('1')

  await page.getByRole('button', { name: `Decrease ${rice.name}` }).click()
  await expect(lines).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1, name: 'Your cart is empty' })).toBeFocused()
})

// spec: 6.rules.3, 6.visitor.2
test('a reload keeps the cart, and a visitor’s cart is never sent to the server', async ({ page }) => {
  const sent = listen(page, '/api/')
  const { name } = await product(({ stock }) => stock > 10)
  const card = await find(page, name)
  await card.getByRole('button', { name: 'Add to Cart' }).click()
  await expect(cartCount(page)).toHaveText('1')
  await page.reload()
  await expect(cartCount(page)).toHaveText('1')
  await page.getByRole('link', { name: 'Cart, 1 item' }).click()
  await expect(page.getByTestId('cart-line')).toContainText(name)
  const calls = sent.map((request) => new URL(request.url()).pathname)
  expect(calls, 'the listener hears the shop’s calls').toContain('/api/product/get_products_by_ids')
  expect(calls.filter((path) => path.includes('cart'))).toEqual([])
})

// spec: 2.cart.2, 9.const.1, 9.const.2, 9.const.3, 9.const.4, 9.const.5, 9.const.6
test('the summary adds 13 % tax and 20 shipping, free above 1000', async ({ page }) => {
  const cheap = await product(({ price, stock }) => price < 400 && stock > 20)
  const card = await find(page, cheap.name)
  await card.getByRole('button', { name: 'Add to Cart' }).click()
  await page.getByRole('link', { name: 'Cart, 1 item' }).click()
  const sums = async (quantity: number) => {
    const subtotal = Math.round(cheap.price * 100) * quantity
    const tax = Math.round((subtotal * 13) / 100)
    const shipping = subtotal > 100_000 ? 0 : 2000
    const money = (paisa: number) => `Rs. ${(paisa / 100).toFixed(2)}`
    await expect(page.getByTestId('summary-subtotal')).toHaveText(money(subtotal))
    await expect(page.getByTestId('summary-shipping')).toHaveText(money(shipping))
    await expect(page.getByTestId('summary-tax')).toHaveText(money(tax))
    await expect(page.getByTestId('summary-total')).toHaveText(money(subtotal + tax + shipping))
  }
  await sums(1)
  const over = Math.floor(1000 / cheap.price) + 1
  for (let n = 2; n <= over; n++) await page.getByRole('button', { name: `Increase ${cheap.name}` }).click()
  await sums(over)
})
