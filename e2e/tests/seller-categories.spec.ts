import { PHOTO, turnedPhoto } from '../support/pictures.ts'
import { openDashboard, unheard } from '../support/seller-catalogue.ts'
import { expect, ON_DESKTOP, open, servedByAll, test, toast } from '../support/shop.ts'

// spec: 2.scategories.1, 2.scategories.2, 2.scategories.3, 7.seller.10, 7.seller.11, 7.seller.12
// spec: 8.success.11, 8.success.12, 8.success.13
test(
  'a category is added with its pictures, shown in the shop, changed and deleted',
  ON_DESKTOP,
  async ({ page }) => {
    await openDashboard(page, '/seller/categories')
    const dialog = page.getByRole('dialog')
    const name = `Shelf ${unheard()}`
    const row = page.getByTestId('category-row').filter({ hasText: name })
    await page.getByRole('main').getByRole('button', { name: 'Add category' }).first().click()
    await dialog.getByLabel(/^Category name/).fill(name)
    await dialog
      .getByLabel(/^Description/)
      .first()
      .fill('What the hills give.')
    await dialog.getByLabel(/^Category image/).setInputFiles(PHOTO)
    await dialog
      .getByLabel(/^Category icon/)
      .setInputFiles({ name: 'icon.jpg', mimeType: 'image/jpeg', buffer: turnedPhoto(1) })
    await dialog.getByRole('button', { name: 'Add category', exact: true }).click()
    await toast(page, 'Category added successfully')
    await expect(dialog).toHaveCount(0)

    await page.getByRole('main').getByLabel('Search categories').fill(name.toUpperCase())
    await expect(page.getByTestId('category-row')).toHaveCount(1)
    await expect(row).toContainText('What the hills give.')
    await expect(row.locator('.row-number')).toContainText('0')
    await expect(row.locator('img')).toHaveCount(2)
    const shop = await page.context().newPage()
    await servedByAll('/categories', name)
    await open(shop, '/categories')
    await expect(shop.getByRole('main').getByText(name)).toBeVisible()
    await shop.close()

    await page.getByRole('button', { name: `Edit ${name}`, exact: true }).click()
    await dialog
      .getByLabel(/^Description/)
      .first()
      .fill('Better said.')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await toast(page, 'Category updated successfully')
    await expect(row).toContainText('Better said.')

    await page.getByRole('button', { name: `Delete ${name}`, exact: true }).click()
    await expect(dialog).toContainText(`"${name}" will be removed from the shop.`)
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await toast(page, 'Category deleted successfully')
    await expect(row).toHaveCount(0)
  },
)
