import type { Locator } from '@playwright/test'
import { PHOTO } from '../support/pictures.ts'
import { sellerSession } from '../support/seller.ts'
import { addCategory, addProduct, openDashboard, productNow, wordOf } from '../support/seller-catalogue.ts'
import { expect, ON_DESKTOP, open, reload, servedByAll, test, toast } from '../support/shop.ts'

/** The colour behind an element, in degrees on the wheel: 0 is red, 60 yellow, 120 green. */
const hueOf = (badge: Locator) =>
  badge.evaluate((element) => {
    const context = document.createElement('canvas').getContext('2d')
    if (!context) throw new Error('no canvas')
    context.fillStyle = getComputedStyle(element).backgroundColor
    context.fillRect(0, 0, 1, 1)
    const [r = 0, g = 0, b = 0] = context.getImageData(0, 0, 1, 1).data
    const most = Math.max(r, g, b)
    const span = most - Math.min(r, g, b)
    if (span === 0) return Number.NaN
    const turn = most === r ? (g - b) / span : most === g ? 2 + (b - r) / span : 4 + (r - g) / span
    return (turn * 60 + 360) % 360
  })

// spec: 2.sproducts.1, 2.sproducts.5, 2.sproducts.6, 5.search.5, 9.const.19, 9.const.20, 9.const.21
test(
  'the product list is searched, filtered by stock and sorted, and a price is changed in its row',
  ON_DESKTOP,
  async ({ page }) => {
    const maker = await sellerSession()
    const category = await addCategory(maker)
    const stocks = [
      ['11', 'in stock'],
      ['10', 'low'],
      ['1', 'low'],
      ['0', 'Out of stock'],
    ] as const
    for (const [n, [stock]] of stocks.entries())
      await addProduct(maker, {
        name: `Crate of ${stock}!`,
        category: category.name,
        stock,
        price: String(100 + n),
      })
    const { seller } = await openDashboard(page, '/seller')
    const main = page.getByRole('main')
    const rows = page.getByTestId('product-row')
    const search = main.getByLabel('Search by name or category')
    await expect(rows.first()).toBeVisible()
    await search.fill('xyzzy')
    await expect(page.getByRole('heading', { name: 'No products match "xyzzy"' })).toBeVisible()
    await main.getByRole('button', { name: 'Clear search' }).last().click()
    await expect(search).toHaveValue('')
    await expect(rows.first()).toBeVisible()
    await search.fill(wordOf(category).toUpperCase().slice(0, 8))
    await expect(rows).toHaveCount(4)

    const hues: Record<string, number> = {}
    for (const [stock, text] of stocks) {
      const badge = rows.filter({ hasText: `Crate of ${stock}!` }).getByTestId('stock-badge')
      await expect(badge).toHaveText(text)
      hues[stock] = await hueOf(badge)
    }
    const { 11: green = 0, 10: yellow = 0, 1: also = 0, 0: red = 180 } = hues
    expect(green > 90 && green < 170, `green at ${green}`).toBe(true)
    expect(yellow > 35 && yellow < 65 && also === yellow, `yellow at ${yellow}`).toBe(true)
    expect(Math.min(red, 360 - red), 'red').toBeLessThan(20)

    const chip = (name: RegExp) =>
      page.getByRole('navigation', { name: 'Filter by stock' }).getByRole('button', { name })
    await chip(/^Low stock/).click()
    await expect(rows).toHaveCount(2)
    await expect(rows.first()).toContainText('Crate of 1!')
    await chip(/^All/).click()
    await expect(rows).toHaveCount(4)
    const price = page.getByRole('columnheader', { name: 'Price' })
    await price.getByRole('button').click()
    await price.getByRole('button').click()
    await expect(price).toHaveAttribute('aria-sort', 'descending')
    await expect(rows.first()).toContainText('Crate of 0!')
    await reload(page)
    await expect(rows.first()).toContainText('Crate of 0!')

    const value = page.getByRole('button', { name: 'change the price of Crate of 0!' })
    const field = page.getByLabel('New price of Crate of 0! in rupees')
    await value.click()
    await field.fill('77')
    await page.keyboard.press('Escape')
    await expect(value).toContainText('Rs. 103')
    await value.click()
    await field.fill('135.5')
    await page.keyboard.press('Enter')
    await toast(page, 'Product updated successfully!')
    await expect(value).toContainText('Rs. 135.50')
    await expect(value).toBeFocused()
    const [made] = await seller.must<{ price: number }[]>(
      'GET',
      `/api/product/get_seller_products?${new URLSearchParams({ search: category.name, sort: 'price_desc' })}`,
    )
    expect(made?.price).toBe(135.5)
  },
)

// spec: 2.sproducts.2, 2.sproducts.3, 3.product.4, 7.seller.5, 7.seller.6, 8.success.15, 8.success.16
test(
  'a product is edited with a picture and more stock, shown so in the shop, and deleted after a question',
  ON_DESKTOP,
  async ({ page }) => {
    const product = await addProduct(await sellerSession(), { rating: '4.5', tags: 'fresh', stock: '8' })
    const { seller } = await openDashboard(page, `/seller?search=${wordOf(product)}`)
    const row = page.getByTestId('product-row').filter({ hasText: product.name })
    const dialog = page.getByRole('dialog')
    const edit = page.getByRole('button', { name: `Edit ${product.name}`, exact: true })
    await edit.click()
    await expect(dialog.getByLabel(/^Price/)).toHaveValue('120')
    await expect(dialog.getByLabel(/^Rating/)).toHaveValue('4.5')
    await dialog.getByLabel(/^Price/).fill('150')
    await dialog.getByLabel(/^Stock quantity/).fill('40')
    await dialog.getByLabel(/^Product image/).setInputFiles(PHOTO)
    await expect(dialog.getByAltText('Product image preview')).toBeVisible()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await toast(page, 'Product updated successfully!')
    await expect(dialog).toHaveCount(0)
    await expect(edit).toBeFocused()
    await expect(row).toContainText('Rs. 150')
    await expect(row.getByTestId('stock-badge')).toHaveText('in stock')
    expect(await productNow(seller, product)).toMatchObject({ price: 150, stock: 40, tags: ['fresh'] })

    const shop = await page.context().newPage()
    const inShop = `/products?search=${wordOf(product)}`
    const card = shop.locator('main article.card').filter({ hasText: product.name })
    await servedByAll(inShop, 'Rs. 150')
    await open(shop, inShop)
    await expect(card).toContainText('Rs. 150')
    await expect(card.locator('img')).toBeVisible()

    await page.getByRole('button', { name: `Delete ${product.name}`, exact: true }).click()
    await expect(dialog).toContainText(
      `"${product.name}" will be removed from the shop. This cannot be undone.`,
    )
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await toast(page, 'Product deleted successfully!')
    await expect(row).toHaveCount(0)
    await servedByAll(inShop, product.name, false)
    await open(shop, inShop)
    await expect(card).toHaveCount(0)
    await shop.close()
  },
)
