import type { Page } from '@playwright/test'
import { allProducts, shopUrl } from './api.ts'
import type { BuyingScreen } from './buying-screens.ts'
import { pathOf } from './goods.ts'
import { formOf, type Visitor } from './people.ts'
import { sellerSession } from './seller.ts'
import { addProduct, DELETE_PRODUCT, type SellerProduct, unheard } from './seller-catalogue.ts'

/** A product with several pictures, which are those of other products of the demo shop. */
let made: Promise<{ seller: Visitor; product: SellerProduct; main: Buffer }> | undefined

const toBlob = (bytes: Buffer) => new Blob([new Uint8Array(bytes)], { type: 'image/webp' })

async function make(count: number) {
  const seller = await sellerSession()
  const shown = (await allProducts()).flatMap(({ image }) => image ?? []).slice(0, count)
  const pictures: Buffer[] = []
  for (const path of shown) {
    const bytes = await (await fetch(shopUrl() + path)).arrayBuffer()
    pictures.push(Buffer.from(bytes))
  }
  const [main, ...more] = pictures
  if (!main) throw new Error('the demo shop has no pictures')
  const keys: string[] = []
  for (const bytes of more) {
    const { key } = await seller.must<{ key: string }>(
      'POST',
      '/api/product/upload_picture',
      formOf({ image: toBlob(bytes) }),
    )
    keys.push(key)
  }
  const product = await addProduct(seller, {
    name: `Marpha Apples ${unheard().slice(0, 6)}`,
    nameNe: 'मार्फाको स्याउ',
    description: 'Crisp apples from the orchards of Marpha.',
    descriptionNe: 'मार्फाका बगैँचाका रसिला स्याउ।',
    category: 'Fresh Fruits',
    moreImages: keys.join(),
  })
  await seller.must('PUT', `/api/product/update_product/${product.slug}`, formOf({ image: toBlob(main) }))
  return { seller, product, main }
}

const several = () => {
  made ??= make(6)
  return made
}

/** Deletes it again. */
export async function tidyPictures() {
  const before = await made
  made = undefined
  if (before) await before.seller.must('DELETE', DELETE_PRODUCT + before.product.slug)
}

async function openGallery(page: Page) {
  await page.goto(pathOf((await several()).product))
  await page.locator('.gallery-slide').nth(4).waitFor()
}

async function enlarge(page: Page) {
  await openGallery(page)
  await page.locator('.gallery-slide').first().focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.locator('#picture-zoom img').first().waitFor()
}

async function openForm(page: Page) {
  const pictured = await several()
  await page.goto(`/seller?search=${encodeURIComponent(pictured.product.name.split(' ').at(-1) ?? '')}`)
  await page.locator('[data-testid=product-row] .row-actions button').first().click()
  return pictured
}

export const PICTURE_SCREENS: BuyingScreen[] = [
  { name: 'product-pictures', makes: true, path: '/about', who: 'visitor', prepare: openGallery },
  {
    name: 'product-enlarged',
    makes: true,
    path: '/about',
    who: 'visitor',
    prepare: enlarge,
  },
  {
    name: 'product-zoomed',
    makes: true,
    path: '/about',
    who: 'visitor',
    fresh: true,
    prepare: async (page) => {
      await enlarge(page)
      await page.locator('.zoom-bar [aria-pressed]').click()
      await page.locator('.zoom-slide[data-zoomed]').waitFor()
    },
  },
  {
    name: 'seller-product-pictures',
    makes: true,
    path: '/about',
    who: 'seller',
    prepare: async (page) => {
      const { main } = await openForm(page)
      const picker = page.locator('#edit-product-moreImages')
      await page.route('**/api/product/upload_picture', (route) => route.abort())
      await picker.setInputFiles({ name: 'apples.webp', mimeType: 'image/webp', buffer: main })
      await page.locator('.more-pictures [role=alert]').waitFor()
      await picker.scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'seller-product-main-picture',
    makes: true,
    path: '/about',
    who: 'seller',
    prepare: async (page) => {
      await openForm(page)
      await page.locator('.more-pictures li').nth(2).locator('.button-plain').click()
      await page.locator('.picture-now > img').waitFor()
    },
  },
]
