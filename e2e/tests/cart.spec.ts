import { findCard, logInWith, newGoods } from '../support/checkout.ts'
import { fillCart, GET_CART, rupees, SAVE_CART } from '../support/orders.ts'
import { logIn, register, somebody } from '../support/people.ts'
import {
  avatar,
  cartCount,
  expect,
  listen,
  loginDialog,
  ON_DESKTOP,
  open,
  reload,
  test,
  toast,
} from '../support/shop.ts'

type Items = Record<string, number>

// spec: 2.cart.1, 2.cart.5, 2.cart.6, 2.header.5, 4.cart.1, 4.cart.2, 4.cart.3, 4.cart.4, 4.cart.5, 4.cart.6
// spec: 4.cart.7, 6.rules.3, 6.visitor.2, 9.const.6
test('a visitor fills a cart from the cards, finds it after a reload and empties it again; none of it is sent', async ({
  page,
}) => {
  const sent = listen(page, '/api/')
  const [rice, oil] = [await newGoods({ paisa: 333_33, stock: 2 }), await newGoods()]
  const card = await findCard(page, rice)
  await card.getByRole('button', { name: 'Add to Cart' }).click()
  await toast(page, 'Added to cart')
  const more = card.getByRole('button', { name: `Increase ${rice.name}` })
  await more.click()
  await expect(cartCount(page)).toHaveText('2')
  await expect(more, 'there are no more than two').toBeDisabled()
  await (await findCard(page, oil)).getByRole('button', { name: 'Add to Cart' }).click()
  await expect(cartCount(page)).toHaveText('3')

  await reload(page)
  await page.getByRole('link', { name: 'Cart, 3 items' }).click()
  const lines = page.getByTestId('cart-line')
  await expect(lines).toHaveCount(2)
  // The newest line comes first.
  await expect(lines.nth(1)).toContainText(rice.name)
  await expect(lines.nth(1)).toContainText(rupees(666_66))
  await page.getByRole('button', { name: `Decrease ${rice.name}` }).click()
  await toast(page, 'Removed from cart')
  await expect(cartCount(page)).toHaveText('2')
  await page.getByRole('button', { name: `Remove ${oil.name}` }).click()
  await toast(page, 'Product removed from cart.')
  await expect(lines).toHaveCount(1)
  await page.getByRole('button', { name: `Decrease ${rice.name}` }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Your cart is empty' })).toBeFocused()
  await expect(cartCount(page)).toHaveCount(0)
  await page.getByRole('link', { name: 'Browse Products' }).click()
  await expect(page).toHaveURL('/products')

  const calls = sent.map((request) => new URL(request.url()).pathname)
  expect(calls, 'the listener hears the shop’s calls').toContain('/api/product/get_products_by_ids')
  expect(calls.filter((path) => path.includes('cart'))).toEqual([])
})

// spec: 4.cart.8, 4.cart.9, 4.cart.10, 6.rules.3, 6.shopper.3, 7.shopper.1, 7.shopper.2
test(
  'a visitor’s cart and the saved one become one at login; it follows to a second browser and back, and logging out takes it along',
  ON_DESKTOP,
  async ({ page, browser }) => {
    const person = somebody()
    const session = await register(person)
    const [both, saved, few] = [await newGoods(), await newGoods(), await newGoods({ stock: 3 })]
    await fillCart(session, [
      [both, 1],
      [saved, 4],
      [few, 9],
    ])
    const saves = listen(page, SAVE_CART)
    const card = await findCard(page, both)
    await card.getByRole('button', { name: 'Add to Cart' }).click()
    await card.getByRole('button', { name: `Increase ${both.name}` }).click()
    await expect(cartCount(page)).toHaveText('2')

    await logInWith(await loginDialog(page), person)
    await toast(page, 'Logged in successfully.')
    const merged = { [both.id]: 2, [saved.id]: 4, [few.id]: 3 }
    await expect(cartCount(page)).toHaveText('9')
    await expect.poll(() => session.must<Items>('GET', GET_CART)).toEqual(merged)
    expect(saves.map((request) => request.postDataJSON())).toEqual([{ cartItems: merged }])
    await page.getByRole('link', { name: 'Cart, 9 items' }).click()
    await expect(page.getByTestId('cart-notice')).toHaveText(
      "We merged this device's cart with your saved cart.",
    )

    const elsewhere = await browser.newContext()
    await (await logIn(person)).enter(elsewhere)
    const second = await elsewhere.newPage()
    const loads = listen(second, GET_CART)
    const changes = listen(second, SAVE_CART)
    await open(second, '/cart')
    await expect(cartCount(second)).toHaveText('9')
    await second.getByRole('button', { name: `Remove ${few.name}` }).click()
    await expect.poll(() => session.must<Items>('GET', GET_CART)).toEqual({ [both.id]: 2, [saved.id]: 4 })
    expect(loads).toHaveLength(1)
    // Loading the cart does not save it: the only save is the change.
    expect(changes.map((request) => request.postDataJSON())).toEqual([
      { cartItems: { [both.id]: 2, [saved.id]: 4 } },
    ])
    await elsewhere.close()

    await reload(page)
    await expect(cartCount(page)).toHaveText('6')
    await avatar(page, person).click()
    await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
    await toast(page, 'Logout successful!')
    await expect(cartCount(page)).toHaveCount(0)
  },
)
