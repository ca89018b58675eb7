import { addPicture, ownProducts, pathOf } from '../support/goods.ts'
import { instanceUrls } from '../support/orders.ts'
import { sellerSession } from '../support/seller.ts'
import { addCategory, unheard } from '../support/seller-catalogue.ts'
import { cardNames, cartCount, expect, goTo, NOT_FOUND, open, section, test, toast } from '../support/shop.ts'

// spec: 2.home.2, 2.product.1, 2.product.3, 2.product.5, 4.cart.1, 6.visitor.1
test('from the home page to a product, of which the chosen quantity goes into the cart', async ({ page }) => {
  const { word, products, seller } = await ownProducts(['Mustard Oil'], {
    description: 'Cold pressed in Chitwan.',
    price: '525',
    stock: '6',
  })
  const [oil] = products
  if (!oil) throw new Error('no product was made')
  await addPicture(seller, oil)

  await open(page, '/')
  await page.getByRole('link', { name: 'Shop Now' }).click()
  await expect(page).toHaveURL('/products')
  await page.getByLabel('Filter products by name').fill(word)
  await page.locator('main article.card').getByRole('link', { name: oil.name, exact: true }).click()
  await expect(page).toHaveURL(pathOf(oil))

  const detail = page.locator('article.detail')
  await expect(page.getByRole('heading', { level: 1, name: oil.name })).toBeVisible()
  const picture = detail.locator('.detail-picture img')
  await expect(picture).toBeVisible()
  expect(
    await picture.evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth)),
  ).toBeGreaterThan(0)
  await expect(detail.getByRole('link', { name: oil.category })).toBeVisible()
  await expect(detail.locator('.detail-price .price')).toHaveText('Rs. 525')
  await expect(detail).toContainText('Cold pressed in Chitwan.')
  await expect(detail).toContainText('(6 available)')
  const more = page.getByRole('button', { name: 'Increase quantity' })
  await more.click()
  await more.click()
  await expect(page.getByRole('textbox', { name: 'Quantity' })).toHaveValue('3')
  await detail.getByRole('button', { name: 'Add to Cart' }).click()
  await toast(page, 'Added to cart')
  await expect(cartCount(page)).toHaveText('3')
  await expect(page.getByText('In your cart: 3')).toBeVisible()
})

// spec: 2.categories.5, 2.category.3, 2.category.5, 2.product.6, 6.visitor.1
test('from the categories into one of them, which shows its own products and no others', async ({ page }) => {
  const category = await addCategory(await sellerSession(), {
    name: `Teas ${unheard()}`,
    description: 'From the hills of Ilam.',
  })
  const { products } = await ownProducts(['Black Tea', 'Green Tea'], { category: category.name })
  const names = products.map(({ name }) => name)
  // Each instance of the server has its own cache and is notified of the new category a moment later.
  for (const instance of instanceUrls())
    await expect
      .poll(async () => (await fetch(`${instance}/api/category/get_category_public`)).text())
      .toContain(category.slug)

  await open(page, '/')
  await goTo(page, 'Categories')
  await expect(page.getByRole('heading', { level: 1, name: 'Shop by Category' })).toBeVisible()
  await page.getByRole('link', { name: `Explore Category: ${category.name}` }).click()
  await expect(page).toHaveURL(`/category/${category.slug}`)
  await expect(page.getByRole('heading', { level: 1, name: category.name })).toBeVisible()
  await expect(page.locator('.banner')).toContainText('From the hills of Ilam.')
  await expect.poll(async () => (await cardNames(page.getByRole('main'))).sort()).toEqual(names)

  const [black, green] = names
  await page
    .locator('main article.card')
    .getByRole('link', { name: black ?? '', exact: true })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: black ?? '' })).toBeVisible()
  await expect.poll(() => cardNames(section(page, 'Related products'))).toEqual([green])
  await page
    .getByRole('navigation', { name: 'Breadcrumb' })
    .getByRole('link', { name: category.name })
    .click()
  await expect(page).toHaveURL(`/category/${category.slug}`)
})

// spec: 2.category.2, 2.product.7, 2.product.8
test('what does not exist is answered with 404, says so and leads back to the shop', async ({
  page,
  allowConsole,
}) => {
  allowConsole(NOT_FOUND)
  for (const [path, heading, link, back] of [
    ['/category/nope', 'Category Not Found', 'Back to Categories', '/categories'],
    ['/product/x/nope', 'Product not found', 'Back to Categories', '/categories'],
    ['/no-such-page', 'Page not found', 'Go to the shop', '/'],
  ] as const) {
    const answer = await page.goto(path)
    expect(answer?.status(), path).toBe(404)
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    await expect(page.getByRole('banner')).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: link }).click()
    await expect(page).toHaveURL(back)
  }
})
