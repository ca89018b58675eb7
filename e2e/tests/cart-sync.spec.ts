import type { Page } from '@playwright/test'
import { fiveHundred, noLongerSold, oneRupee, ownGoods, putIntoCart, thirds } from '../support/database.ts'
import { fillCart, GET_CART, SAVE_CART } from '../support/orders.ts'
import { fault, register, somebody, unreachable, unsuccessful } from '../support/people.ts'
import {
  avatar,
  BROKEN,
  cartCount,
  drawn,
  expect,
  listen,
  loginDialog,
  ON_DESKTOP,
  ON_PHONE,
  open,
  test,
  toast,
} from '../support/shop.ts'

type Items = Record<string, number>

async function logInAt(page: Page, { email, password }: { email: string; password: string }) {
  const dialog = await loginDialog(page)
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.locator('form').getByRole('button', { name: 'Login', exact: true }).click()
  await toast(page, 'Logged in successfully.')
}

const addFrom = async (page: Page, name: string) => {
  await open(page, `/products?search=${encodeURIComponent(name)}`)
  await page.locator('article.card').first().getByRole('button', { name: 'Add to Cart' }).click()
}

// spec: 4.cart.8, 4.cart.9, 4.cart.10, 6.shopper.3, 7.shopper.1, 7.shopper.2
test(
  'the cart is loaded after login and not saved back; the first change after it is saved whole, and once',
  ON_PHONE,
  async ({ page }) => {
    const person = somebody()
    const session = await register(person)
    const [goods, rupee] = [fiveHundred(), oneRupee()]
    await fillCart(session, [[goods, 2]])
    const loads = listen(page, GET_CART)
    const saves = listen(page, SAVE_CART)
    await open(page, '/about')
    await logInAt(page, person)
    await expect(cartCount(page)).toHaveText('2')
    await drawn(page)
    expect(loads).toHaveLength(1)
    expect(saves).toHaveLength(0)

    await addFrom(page, rupee.name)
    await expect.poll(() => saves.length).toBe(1)
    expect(saves[0]?.postDataJSON()).toEqual({ cartItems: { [goods.id]: 2, [rupee.id]: 1 } })
    await expect.poll(() => session.must<Items>('GET', GET_CART)).toEqual({ [goods.id]: 2, [rupee.id]: 1 })
  },
)

// spec: 4.cart.8, 6.rules.3
test(
  'a visitor’s cart and the saved one become one at login: the larger quantity of each, not more than there is, saved once',
  ON_DESKTOP,
  async ({ page }) => {
    const person = somebody()
    const session = await register(person)
    const [goods, rupee, few] = [fiveHundred(), oneRupee(), ownGoods({ stock: 3 })]
    await fillCart(session, [
      [goods, 1],
      [rupee, 4],
      [few, 9],
    ])
    const saves = listen(page, SAVE_CART)
    await page.goto('/about')
    await page.evaluate(
      (text) => localStorage.setItem('thunse.cart', text),
      JSON.stringify({ [goods.id]: 3, [rupee.id]: 1 }),
    )
    await open(page, '/about')
    expect(saves, 'a visitor’s cart stays on the device').toHaveLength(0)
    await logInAt(page, person)
    const wanted = { [goods.id]: 3, [rupee.id]: 4, [few.id]: 3 }
    await expect(cartCount(page)).toHaveText('10')
    await expect.poll(() => session.must<Items>('GET', GET_CART)).toEqual(wanted)
    expect(saves.map((request) => request.postDataJSON())).toEqual([{ cartItems: wanted }])
    await page.getByRole('link', { name: 'Cart, 10 items' }).click()
    await expect(page.getByTestId('cart-notice')).toHaveText(
      'We put the items of this device and your saved cart together.',
    )
  },
)

test(
  'quick presses become few requests, one at a time, and the newest cart wins',
  ON_PHONE,
  async ({ page, shopper }) => {
    const goods = fiveHundred()
    await fillCart(shopper.session, [[goods, 1]])
    let open_ = 0
    let most = 0
    await page.route(`**${SAVE_CART}`, async (route) => {
      open_ += 1
      most = Math.max(most, open_)
      await new Promise((done) => setTimeout(done, 300))
      await route.continue()
      open_ -= 1
    })
    const saves = listen(page, SAVE_CART)
    await open(page, '/cart')
    const more = page.getByRole('button', { name: `Increase ${goods.name}` })
    for (let n = 2; n <= 9; n++) {
      await more.click()
      await expect(cartCount(page)).toHaveText(String(n))
    }
    await expect.poll(() => shopper.session.must<Items>('GET', GET_CART)).toEqual({ [goods.id]: 9 })
    expect(most, 'one request at a time').toBe(1)
    expect(saves.length).toBeLessThan(8)
  },
)

test(
  'what is no longer sold leaves the cart, with a word about it',
  ON_DESKTOP,
  async ({ page, shopper }) => {
    const [gone, goods] = [noLongerSold(), fiveHundred()]
    putIntoCart(shopper.email, gone, 2)
    putIntoCart(shopper.email, goods, 1)
    await open(page, '/cart')
    await expect(page.getByRole('main').getByText(new RegExp(`No longer sold.*${gone.name}`))).toBeVisible()
    await expect(page.getByTestId('cart-line')).toHaveCount(1)
    await expect(cartCount(page)).toHaveText('1')
    await expect.poll(() => shopper.session.must<Items>('GET', GET_CART)).toEqual({ [goods.id]: 1 })
  },
)

test('more in the cart than there is: the line says so', ON_PHONE, async ({ page, shopper }) => {
  const few = ownGoods({ stock: 2 })
  putIntoCart(shopper.email, few, 5)
  await open(page, '/cart')
  await expect(page.getByTestId('cart-line')).toContainText('Only 2 available')
})

for (const [way, spoil, text] of [
  ['an unsuccessful answer', unsuccessful, 'Failed to fetch cart items.'],
  ['a broken server', fault, 'Error fetching cart items.'],
] as const) {
  // spec: 7.answers.1, 8.session.7, 8.session.8
  test(
    `loading the cart, ${way}: '${text}', and it comes by itself later`,
    ON_DESKTOP,
    async ({ page, shopper, allowConsole }) => {
      allowConsole(BROKEN)
      await fillCart(shopper.session, [[thirds(), 3]])
      await spoil(page, GET_CART)
      await open(page, '/about')
      await toast(page, text)
      await page.unroute(`**${GET_CART}`)
      await expect(cartCount(page)).toHaveText('3', { timeout: 15_000 })
    },
  )
}

for (const [way, spoil, text] of [
  ['an unsuccessful answer', unsuccessful, 'Failed to update cart.'],
  ['no connection', unreachable, 'Error updating cart.'],
] as const) {
  // spec: 7.answers.1, 8.session.9, 8.session.10
  test(
    `saving the cart, ${way}: '${text}', the change stays and is saved later`,
    ON_DESKTOP,
    async ({ page, shopper, allowConsole }) => {
      allowConsole(BROKEN)
      const goods = thirds()
      await fillCart(shopper.session, [[goods, 1]])
      await open(page, '/cart')
      await expect(page.getByTestId('cart-line')).toHaveCount(1)
      await spoil(page, SAVE_CART)
      await page.getByRole('button', { name: `Increase ${goods.name}` }).click()
      await toast(page, text)
      await expect(cartCount(page)).toHaveText('2')
      expect(await shopper.session.must<Items>('GET', GET_CART)).toEqual({ [goods.id]: 1 })
      await page.unroute(`**${SAVE_CART}`)
      await expect
        .poll(() => shopper.session.must<Items>('GET', GET_CART), { timeout: 15_000 })
        .toEqual({ [goods.id]: 2 })
    },
  )
}

test(
  'whoever logs out takes the cart along: the next person sees nothing of it',
  ON_DESKTOP,
  async ({ page, shopper }) => {
    await fillCart(shopper.session, [[fiveHundred(), 2]])
    await open(page, '/about')
    await expect(cartCount(page)).toHaveText('2')
    await avatar(page, shopper).click()
    await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
    await toast(page, 'Logout successful!')
    await expect(cartCount(page)).toHaveCount(0)
  },
)
