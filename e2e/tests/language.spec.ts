import type { Page } from '@playwright/test'
import { product, productPath } from '../support/api.ts'
import { cartCount, expect, isPhone, open, test, toast } from '../support/shop.ts'

const toNepali = (page: Page) => page.locator('button.language-switch[lang=ne]')
const toEnglish = (page: Page) => page.locator('button.language-switch[lang=en]')

test('the switch names itself in the language it leads to, as whole words', async ({ page }) => {
  await open(page, '/')
  await expect(toNepali(page)).toHaveAccessibleName('नेपालीमा हेर्नुहोस्')
})

test('the switch turns the whole shop Nepali: language mark, navigation, names, money and messages', async ({
  page,
}) => {
  const shown = await product(({ stock, price }) => stock > 10 && price === 525)
  await open(page, '/')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await toNepali(page).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ne')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('थुन्से मा स्वागत छ')
  await expect(page.getByPlaceholder('सामान खोज्नुहोस्...')).toBeVisible()
  if (!isPhone(page)) {
    const names = page.getByRole('banner').getByRole('navigation').getByRole('link')
    await expect(names).toHaveText(['गृहपृष्ठ', 'उत्पादनहरू', 'वर्गहरू', 'अफरहरू'])
  }
  await expect(page).toHaveTitle(/थुन्से$/)
  const card = page
    .locator('article.card')
    .filter({ hasText: shown.nameNe ?? '' })
    .first()
  await expect(card.locator('.price')).toHaveText('रु. ५२५')
  await card.getByRole('button', { name: 'कार्टमा थप्नुहोस्' }).click()
  await toast(page, 'कार्टमा थपियो')
  await expect(cartCount(page)).toHaveText('१')
})

test('the choice survives a reload and is already in the first HTML; switching back restores English', async ({
  page,
  request,
  baseURL,
}) => {
  await open(page, '/')
  await toNepali(page).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ne')
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'lang')
  expect(cookie).toMatchObject({ value: 'ne', path: '/', sameSite: 'Lax' })
  const html = await (await request.get(`${baseURL}/`, { headers: { cookie: 'lang=ne' } })).text()
  expect(html).toContain('<html lang="ne">')
  expect(html).toContain('थुन्से मा स्वागत छ')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ne')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('थुन्से मा स्वागत छ')
  await toEnglish(page).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome to Thunse')
  await expect(page.getByPlaceholder('Search products...')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome to Thunse')
})

test('a product page in Nepali has Nepali name, digits and two-decimal cart money', async ({ page }) => {
  const shown = await product(({ stock, price }) => stock > 10 && price === 525)
  await open(page, productPath(shown))
  await toNepali(page).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(shown.nameNe ?? '')
  await expect(page.locator('.detail-price .price')).toHaveText('रु. ५२५')
  await page.locator('article.detail').getByRole('button', { name: 'कार्टमा थप्नुहोस्' }).click()
  await page.getByRole('banner').locator('a[href="/cart"]').click()
  await expect(page.getByTestId('summary-subtotal')).toHaveText('रु. ५२५.००')
  await expect(page.getByTestId('summary-tax')).toHaveText('रु. ६८.२५')
  await expect(page.getByTestId('summary-total')).toHaveText('रु. ६१३.२५')
})

test('contact phone and e-mail keep Latin digits in Nepali', async ({ page }) => {
  await open(page, '/about')
  const phone = (await page.getByRole('contentinfo').locator('a[href^="tel:"]').textContent()) ?? ''
  await toNepali(page).click()
  await expect(page.getByRole('contentinfo').locator('a[href^="tel:"]')).toHaveText(phone)
})

test('the switch keeps the page, the typed filter and the cart', async ({ page }) => {
  await open(page, '/products?search=rice')
  await page.locator('main article.card').first().getByRole('button', { name: 'Add to Cart' }).click()
  await toNepali(page).click()
  await expect(page).toHaveURL('/products?search=rice')
  await expect(page.getByPlaceholder('सामान खोज्नुहोस्...')).toHaveValue('rice')
  await expect(cartCount(page)).toHaveText('१')
})
