import { readFile } from 'node:fs/promises'
import { SELLER_CATEGORY } from '../support/database.ts'
import { png, zip } from '../support/pictures.ts'
import { sellerSession } from '../support/seller.ts'
import { addProduct, openDashboard, productNow, unheard } from '../support/seller-catalogue.ts'
import { expect, ON_DESKTOP, open, test } from '../support/shop.ts'

test(
  'an exported product is changed in a spreadsheet: errors are named, the corrected file is checked, then applied',
  ON_DESKTOP,
  async ({ page }) => {
    const product = await addProduct(await sellerSession(), { tags: 'fresh, local' })
    const { seller } = await openDashboard(page, '/seller')
    const coming = page.waitForEvent('download')
    await page.getByRole('main').getByRole('button', { name: 'Export CSV' }).click()
    const text = await readFile(await (await coming).path(), 'utf8')
    // Other tests change products at the same time, so only the header and this test's own line are checked.
    const [header = '', ...lines] = text.replace('\uFEFF', '').split('\r\n')
    const exported = lines.find((line) => line.startsWith(`"${product.slug}",`)) ?? ''
    const cells = (line: string) => line.slice(1, -1).split('","')
    const columns = cells(header)
    expect(columns).toEqual(expect.arrayContaining(['slug', 'name', 'category', 'price', 'stock', 'version']))
    const values = Object.fromEntries(cells(exported).map((value, n) => [columns[n] ?? '', value]))
    expect(values).toMatchObject({ name: product.name, tags: 'fresh | local' })

    await page.getByRole('main').getByRole('link', { name: 'Import' }).click()
    await expect(page).toHaveURL('/seller/import')
    const added = { name: `Crate ${unheard()}`, category: SELLER_CATEGORY.name, price: '75.50', stock: '12' }
    const card = page.getByTestId('import')
    const rows = page.getByTestId('import-row')
    const send = async (price: string) => {
      const sheet = [values, added].map((row: Record<string, string>) =>
        columns.map((column) => `"${row === values && column === 'price' ? price : (row[column] ?? '')}"`),
      )
      const name = `goods-${unheard()}.csv`
      await page.getByLabel('CSV or zip file').setInputFiles({
        name,
        mimeType: 'text/csv',
        buffer: Buffer.from(`\uFEFF${[columns, ...sheet].map((row) => row.join(',')).join('\r\n')}\r\n`),
      })
      await expect(card).toContainText(name)
      await expect(card).toHaveAttribute('data-state', 'checked')
      return name
    }

    await send('cheap')
    await expect(rows).toHaveCount(1)
    await expect(rows).toContainText(product.slug)
    await expect(rows.locator('.import-error')).toContainText('price')
    await expect(card.getByRole('button', { name: 'Apply', exact: true })).toBeDisabled()

    await open(page, '/seller/import')
    const file = await send('150')
    const chip = (name: RegExp) =>
      page.getByRole('navigation', { name: 'Show rows' }).getByRole('button', { name })
    await expect(chip(/^New/).locator('.chip-count')).toHaveText('1')
    await expect(chip(/^Changed/).locator('.chip-count')).toHaveText('1')
    await expect(rows.filter({ hasText: product.slug })).toContainText('150')
    expect((await productNow(seller, product)).price, 'nothing changes before it is applied').toBe(120)
    await card.getByRole('button', { name: 'Apply', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Apply', exact: true }).click()
    await expect(card).toHaveAttribute('data-state', 'applied')
    expect((await productNow(seller, product)).price).toBe(150)
    await expect(page.getByRole('region', { name: 'Recent imports' })).toContainText(file)
    await open(page, `/seller?search=${encodeURIComponent(added.name)}`)
    await expect(page.getByTestId('product-row')).toContainText('Rs. 75.50')
  },
)

test(
  'products come with their images from a zip file, after a missing one was named',
  ON_DESKTOP,
  async ({ page }) => {
    const name = `Crate ${unheard()}`
    await openDashboard(page, '/seller/import')
    const card = page.getByTestId('import')
    const send = async (images: Record<string, Buffer>) => {
      const table = `name,category,price,image\r\n${name},${SELLER_CATEGORY.name},75,crate.png\r\n`
      await page.getByLabel('CSV or zip file').setInputFiles({
        name: `goods-${unheard()}.zip`,
        mimeType: 'application/zip',
        buffer: zip({ 'goods.csv': Buffer.from(table), ...images }),
      })
      await expect(card).toHaveAttribute('data-state', 'checked')
    }

    await send({ 'create.png': png(320, 240, [140, 47, 28]) })
    await expect(card.locator('.import-error')).toContainText('The zip file has no image ‘crate.png’.')
    await expect(card.getByRole('region', { name: 'Images in the zip file' })).toContainText('create.png')
    await expect(card.getByRole('button', { name: 'Apply', exact: true })).toBeDisabled()

    await open(page, '/seller/import')
    await send({ 'crate.png': png(320, 240, [140, 47, 28]) })
    const preview = page.getByTestId('import-row').locator('img')
    await expect
      .poll(() => preview.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0)
    await card.getByRole('button', { name: 'Apply', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Apply', exact: true }).click()
    await expect(card).toHaveAttribute('data-state', 'applied')
    await open(page, `/seller?search=${encodeURIComponent(name)}`)
    await expect(page.getByTestId('product-row').locator('img')).toHaveAttribute('src', /^\/media\//)
  },
)
