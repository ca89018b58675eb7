import { pathOf } from '../support/goods.ts'
import { png } from '../support/pictures.ts'
import { addProduct, openDashboard, productNow, wordOf } from '../support/seller-catalogue.ts'
import { expect, open, servedByAll, test, toast } from '../support/shop.ts'

const file = (name: string, colour: [number, number, number]) => ({
  name,
  mimeType: 'image/png',
  buffer: png(640, 480, colour),
})

type Pictured = { image: string; moreImages: { image: string }[] }

test('the seller adds images to a product, and a shopper swipes through them and enlarges one', async ({
  page,
}) => {
  const { seller } = await openDashboard(page, '/seller')
  const product = await addProduct(seller)
  await open(page, `/seller?search=${wordOf(product)}`)
  const row = page.getByTestId('product-row').filter({ hasText: product.name })
  await row.getByRole('button', { name: /^Edit/ }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel(/^Product image/).setInputFiles(file('main.png', [140, 90, 40]))
  await form
    .getByLabel(/^More images/)
    .setInputFiles([file('a.png', [40, 140, 60]), file('b.png', [40, 60, 140])])
  await form.getByRole('button', { name: 'Move image 2 forward' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await toast(page, 'Product updated successfully!')
  const saved = (await productNow(seller, product)) as unknown as Pictured
  expect(saved.moreImages).toHaveLength(2)

  await row.getByRole('button', { name: /^Edit/ }).click()
  await form.getByRole('button', { name: 'Make main: Image 2' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()
  const swapped = (await productNow(seller, product)) as unknown as typeof saved
  expect(swapped.image).toBe(saved.moreImages[1]?.image)
  expect(swapped.moreImages.map(({ image }) => image)).toEqual([saved.moreImages[0]?.image, saved.image])

  // The first image of the product is its last one now.
  await servedByAll(pathOf(product), saved.image)
  await open(page, pathOf(product))
  await expect(page.getByRole('button', { name: 'Enlarge picture 3' })).toBeAttached()
  const track = page.locator('.gallery-track')
  const pictures = track.locator('img')
  await expect(pictures.nth(1)).toHaveAttribute('src', saved.moreImages[0]?.image ?? '')
  await track.evaluate((box) => box.scrollTo({ left: box.clientWidth, behavior: 'instant' }))
  await expect(page.getByText('Picture 2 of 3')).toBeAttached()
  await page.getByRole('button', { name: 'Enlarge picture 2' }).click()
  const dialog = page.getByRole('dialog', { name: 'Picture 2 of 3' })
  await expect(dialog).toBeVisible()
  const address = page.url()
  await page.keyboard.press('ArrowRight')
  const last = page.getByRole('dialog', { name: 'Picture 3 of 3' })
  await expect(last).toBeVisible()
  const slide = last.locator('.zoom-slide').nth(2)
  await last.getByRole('button', { name: 'Zoom' }).click()
  await expect.poll(() => slide.evaluate((box) => box.scrollWidth / box.clientWidth)).toBeCloseTo(2.5, 1)

  await page.goBack()
  await expect(last).toBeHidden()
  expect(page.url()).toBe(address)
  await expect(page.getByRole('button', { name: 'Enlarge picture 3' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(last).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(last).toBeHidden()
  await expect(page.getByRole('button', { name: 'Enlarge picture 3' })).toBeFocused()
})
