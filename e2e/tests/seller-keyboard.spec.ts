import { fiveHundred } from '../support/database.ts'
import { addProduct, CATEGORIES, productNow, type SellerCategory, unheard } from '../support/desk.ts'
import { press, tabTo, type } from '../support/keyboard.ts'
import { order, ordersOf } from '../support/orders.ts'
import { register, somebody } from '../support/people.ts'
import { OTHER_PHOTO, PHOTO } from '../support/pictures.ts'
import { newSeller, sellerSession } from '../support/seller.ts'
import { expect, ON_DESKTOP, open, test, toast } from '../support/shop.ts'

test(
  'a day at the desk without a mouse: log in, change a price, set a status, add a category',
  ON_DESKTOP,
  async ({ page }) => {
    test.slow()
    const who = newSeller()
    const maker = await sellerSession()
    const product = await addProduct(maker)
    const word = product.name.split(' ').at(-1) ?? ''
    const session = await register(somebody())
    const placed = await order(session, [[fiveHundred(), 1]])

    await open(page, '/seller')
    await tabTo(page, /^Email/)
    await type(page, who.email)
    await tabTo(page, /^Password/)
    await type(page, who.password)
    await press(page, 'Enter')
    await expect(page.getByRole('navigation', { name: 'Seller' })).toBeVisible()

    await tabTo(page, /^Search by name or category/)
    await type(page, word)
    await expect(page.getByTestId('product-row')).toHaveCount(1)
    await tabTo(page, new RegExp(`change the price of ${product.name}`))
    await press(page, 'Enter')
    await type(page, '135')
    await press(page, 'Enter')
    await toast(page, 'Product updated successfully!')
    expect((await productNow(maker, product)).price).toBe(135)
    await tabTo(page, new RegExp(`^Edit ${product.name}`))
    await press(page, 'Enter')
    await expect(page.locator('#edit-product-name')).toBeVisible()
    await tabTo(page, /^Stock quantity/)
    await press(page, 'Control+a')
    await type(page, '40')
    await press(page, 'Enter')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect.poll(async () => (await productNow(maker, product)).stock).toBe(40)

    await tabTo(page, /^Orders/, 'Shift+Tab')
    await press(page, 'Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeFocused()
    await tabTo(page, /^Search by order id or status/)
    await type(page, placed.orderId)
    await expect(page.getByTestId('order-card')).toHaveCount(1)
    await tabTo(page, new RegExp(placed.orderId))
    if ((await page.evaluate(() => document.activeElement?.getAttribute('type'))) === 'checkbox')
      await tabTo(page, new RegExp(placed.orderId))
    await press(page, 'Enter')
    await tabTo(page, /^Order status for/)
    await type(page, 'Order C')
    await toast(page, 'Order status updated successfully!')
    await expect.poll(async () => (await ordersOf(session))[0]?.status).toBe('Order Confirmed')

    await tabTo(page, /^Categories/, 'Shift+Tab')
    await press(page, 'Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Categories' })).toBeFocused()
    await tabTo(page, /^Add Category/)
    await press(page, 'Enter')
    await expect(page.locator('#category-name')).toBeVisible()
    const name = `Shelf ${unheard()}`
    if (!(await page.locator('#category-name').evaluate((element) => element === document.activeElement)))
      await tabTo(page, /^Category name/)
    await type(page, name)
    await tabTo(page, /^Description/)
    await type(page, 'What the hills give.')
    for (const [label, file] of [
      [/^Category image/, PHOTO],
      [/^Category icon/, OTHER_PHOTO],
    ] as const) {
      await tabTo(page, label)
      // The system's own dialog cannot be walked from here: the field that has the focus gets the file.
      await page.locator(':focus').setInputFiles(file)
    }
    await tabTo(page, /^Add Category/)
    await press(page, 'Enter')
    await toast(page, 'Category added successfully')
    const all = await maker.must<SellerCategory[]>('GET', CATEGORIES)
    expect(all.some((each) => each.name === name)).toBe(true)
  },
)
