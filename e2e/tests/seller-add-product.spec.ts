import { SELLER_CATEGORY } from '../support/database.ts'
import { PHOTO } from '../support/pictures.ts'
import { openDashboard, PRODUCTS, type SellerProduct, unheard, wordOf } from '../support/seller-catalogue.ts'
import { expect, ON_DESKTOP, open, reload, servedByAll, test, toast } from '../support/shop.ts'

// spec: 2.sadd.1, 2.sadd.2, 2.sadd.4, 2.sproducts.4, 3.product.2, 5.product.3, 7.seller.3, 7.seller.4, 8.success.9
test(
  'a product with a picture and tags is begun, survives a reload, is added, and is in the list and in the shop',
  ON_DESKTOP,
  async ({ page }) => {
    const { seller } = await openDashboard(page, '/seller')
    await page.getByRole('main').getByRole('link', { name: 'Add New Product' }).first().click()
    await expect(page).toHaveURL('/seller/add_product')
    const form = page.getByRole('main').locator('form')
    const field = (label: RegExp) => form.getByLabel(label).first()
    const name = `Crate ${unheard()}`
    await field(/^Name/).fill(name)
    await field(/^Description/).fill('From the hills.')
    await field(/^Category/).selectOption({ label: SELLER_CATEGORY.name })
    await field(/^Price/).fill('250')
    await reload(page)
    await expect(field(/^Name/)).toHaveValue(name)
    await expect(field(/^Price/)).toHaveValue('250')

    await field(/^Product image/).setInputFiles(PHOTO)
    await expect(form.getByAltText('Product image preview')).toBeVisible()
    await field(/^Rating/).fill('4.6')
    await field(/^Tags/).fill('fresh,')
    await field(/^Tags/).fill('local')
    await field(/^Stock quantity/).fill('42')
    await form.getByRole('button', { name: 'Add product' }).click()
    await toast(page, 'Product added successfully!')
    await expect(field(/^Name/)).toHaveValue('')
    const [made] = await seller.must<SellerProduct[]>(
      'GET',
      `${PRODUCTS}?${new URLSearchParams({ search: name })}`,
    )
    expect(made).toMatchObject({
      name,
      price: 250,
      rating: 4.6,
      reviews: 0,
      stock: 42,
      tags: ['fresh', 'local'],
    })

    await page.getByTestId('added').getByRole('link', { name: 'View in list' }).click()
    await expect(page.getByTestId('product-row').filter({ hasText: name })).toContainText('Rs. 250')
    const inShop = `/products?search=${wordOf({ name })}`
    await servedByAll(inShop, name)
    await open(page, inShop)
    const card = page.locator('main article.card').filter({ hasText: name })
    await expect(card.locator('img')).toBeVisible()
    await card.getByRole('link').first().click()
    const tags = page.getByRole('list', { name: 'Tags' }).getByRole('listitem')
    await expect(tags).toHaveText(['fresh', 'local'])
  },
)
