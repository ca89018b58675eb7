import type { Page } from '@playwright/test'
import { newGoods } from '../support/checkout.ts'
import { notLost, press, reach, tabTo, type } from '../support/keyboard.ts'
import { ordersOf } from '../support/orders.ts'
import { HOME_ADDRESS, register, somebody } from '../support/people.ts'
import { expect, ON_DESKTOP, open, test, toast } from '../support/shop.ts'

/** Goes from the home page to the cart with one piece of the product, with the keyboard only. */
async function putIntoCart(page: Page, name: string) {
  await open(page, '/')
  await tabTo(page, /^Search products/)
  await type(page, name)
  await press(page, 'Enter')
  await expect(page.getByRole('heading', { level: 1, name: `Results for "${name}"` })).toBeFocused()
  await expect(page.locator('main article.card h3').first()).toHaveText(name)
  await tabTo(page, new RegExp(`^${name}`))
  await tabTo(page, /^Add to Cart/)
  await press(page, 'Enter')
  await toast(page, 'Added to cart')
  await notLost(page)
  await tabTo(page, /^Cart, 1 item/, 'Shift+Tab')
  await press(page, 'Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Cart' })).toBeFocused()
}

test(
  'a purchase without a mouse: find, add, log in, write down an address, choose the wallet and then cash, see the order; the focus is always seen and never lost',
  ON_DESKTOP,
  async ({ page }) => {
    const person = somebody()
    const session = await register(person)
    const goods = await newGoods()
    await putIntoCart(page, goods.name)

    await tabTo(page, /^Login/)
    await press(page, 'Enter')
    // The form is loaded on demand and moves the focus into its first field.
    await expect(page.getByRole('dialog', { name: 'Login' }).getByLabel('Email')).toBeFocused()
    await reach(page, /^Email/)
    await type(page, person.email)
    await tabTo(page, /^Password/)
    await type(page, person.password)
    await press(page, 'Enter')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Add address' })).toBeVisible()
    await notLost(page)

    await tabTo(page, /^Add address/)
    await press(page, 'Enter')
    await expect(page).toHaveURL('/add_address')
    await expect(page.getByLabel('Address name')).toBeVisible()
    await notLost(page)
    for (const [label, text] of [
      [/^Address name/, HOME_ADDRESS.address],
      [/^Street/, HOME_ADDRESS.street],
      [/^City/, HOME_ADDRESS.city],
      [/^State/, HOME_ADDRESS.state],
      [/^Postal code/, HOME_ADDRESS.pincode],
    ] as const) {
      await reach(page, label)
      await type(page, text)
    }
    await press(page, 'Enter')
    await toast(page, 'Address added successfully!')
    await expect(page).toHaveURL('/cart')
    await expect(page.getByRole('main')).toContainText(HOME_ADDRESS.street)
    await expect(page.getByRole('button', { name: 'Place Order' })).toBeEnabled()
    await notLost(page)

    await tabTo(page, /^Cash on Delivery/)
    await press(page, 'ArrowDown')
    await expect(page.getByRole('radio', { name: /^Online/ })).toBeChecked()
    await expect(page.getByRole('button', { name: 'Place Order' })).toBeDisabled()
    await tabTo(page, /Khalti/)
    await press(page, 'Space')
    await expect(page.getByRole('radio', { name: /Khalti/ })).toBeChecked()
    await expect(page.getByRole('button', { name: 'Place Order' })).toBeEnabled()
    await tabTo(page, /^Online/, 'Shift+Tab')
    await press(page, 'ArrowUp')
    await expect(page.getByRole('radio', { name: /^Cash on Delivery/ })).toBeChecked()
    await tabTo(page, /^Place Order/)
    await press(page, 'Enter')
    await toast(page, 'Order placed successfully!')
    await expect(page).toHaveURL(/\/orders/)
    await notLost(page)
    const [placed] = await ordersOf(session)
    expect(placed?.items.map(({ name }) => name)).toEqual([goods.name])
    await expect(page.getByRole('main')).toContainText(placed?.orderId ?? 'no order')
    await reach(page, new RegExp(placed?.orderId ?? 'no order'))
    await expect(page.locator(':focus')).toHaveAttribute('aria-expanded', /true|false/)
  },
)
