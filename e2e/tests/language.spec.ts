import type { Page } from '@playwright/test'
import { product, productPath } from '../support/api.ts'
import { groceries, lines } from '../support/buying-screens.ts'
import { addProduct, atDesk, productNow } from '../support/desk.ts'
import { englishLeft, overflowing } from '../support/english.ts'
import { letterTo } from '../support/letters.ts'
import { tooWide } from '../support/looks.ts'
import { addHome, order } from '../support/orders.ts'
import { register, somebody } from '../support/people.ts'
import { cartCount, expect, isPhone, open, takenOver, test, toast } from '../support/shop.ts'

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
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('थुन्सेमा स्वागत छ')
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
  expect(html).toContain('थुन्सेमा स्वागत छ')
  await page.reload()
  await takenOver(page)
  await expect(page.locator('html')).toHaveAttribute('lang', 'ne')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('थुन्सेमा स्वागत छ')
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

test('the desk has the switch too: menu, page and what the server refuses follow it', async ({ page }) => {
  await atDesk(page, '/seller/import')
  await toNepali(page).locator('visible=true').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('सामान आयात')
  await page.locator('input[type=file]').setInputFiles({
    name: 'colours.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('slug,colour\r\nrice,red\r\n'),
  })
  await expect(page.locator('#import-said')).toContainText('‘colour’ स्तम्भ चिनिएन।')
  // It was written down before anybody read it; whoever reads it in English gets the English sentence.
  await toEnglish(page).locator('visible=true').click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await page.reload()
  await expect(page.locator('#import-said')).toContainText("The column 'colour' is not known.")
})

test('a number field of the product form takes Nepali digits, typed or pasted', async ({ page }) => {
  const { seller } = await atDesk(page, '/seller')
  const made = await addProduct(seller)
  await open(page, `/seller?search=${made.name}`)
  await page.locator('[data-testid=product-row] .row-actions button').first().click()
  const price = page.locator('#edit-product-price')
  await price.fill('')
  await price.focus()
  await page.keyboard.type('१२५.५')
  await expect(price).toHaveValue('125.5')
  await page.locator('#edit-product-stock').fill('')
  await page.locator('#edit-product-stock').focus()
  await page.keyboard.insertText('४०')
  await expect(page.locator('#edit-product-stock')).toHaveValue('40')
  await page.locator('dialog form button[type=submit]').click()
  await expect.poll(async () => (await productNow(seller, made)).price).toBe(125.5)
  expect((await productNow(seller, made)).stock).toBe(40)
})

/** Today in Nepal, as a Nepali date ends: the Gregorian day beside Bikram Sambat, as long as the table reaches. */
function todayInNepali(): RegExp {
  const [, , day] = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kathmandu' }).format().split('-')
  const digits = String(Number(day)).replace(/\d/g, (each) => String.fromCharCode(0x966 + Number(each)))
  const gregorian = `${digits} \\S+ २०[०-९]{2}`
  return Date.now() < Date.parse('2027-04-13T18:15:00Z')
    ? new RegExp(`^[०-९]{1,2} \\S+ २०[०-९]{2} \\(${gregorian}\\)`)
    : new RegExp(`^${gregorian}`)
}

test('an order of a Nepali reader is dated by Bikram Sambat, on its card and in its letter, and is found by Nepali digits', async ({
  page,
}) => {
  const person = somebody('Asha Rai')
  const session = await register(person)
  session.cookies.set('lang', 'ne')
  await addHome(session)
  const placed = await order(session, lines(await groceries(), 2))
  await session.enter(page.context())
  await open(page, '/orders')
  const card = page.getByTestId('order-card')
  await expect(card.locator('h2 time')).toHaveText(todayInNepali())
  await card.locator('h2 button').click()
  await expect(card.getByTestId('timeline').locator('time').first()).toHaveText(todayInNepali())
  const letter = await letterTo(person.email, ({ subject }) => subject.includes(placed.orderId))
  expect(letter.subject).toContain('तपाईंको अर्डर')
  expect(letter.text).toMatch(/[०-९]{1,2} \S+ २०[०-९]{2} \([०-९]{1,2} \S+ २०[०-९]{2}\) सम्म/)
  expect(letter.text).toMatch(/२ × .+: रु\. [०-९,]+\.[०-९]{2}/)
  const typed = placed.orderId.replace(/\d/g, (each) => String.fromCharCode(0x966 + Number(each)))
  await page.getByRole('searchbox').fill(typed)
  await expect(page.getByTestId('order-card')).toHaveCount(1)
})

test('the look for English words and cut-off texts finds what is planted', async ({ page }) => {
  await open(page, '/offers')
  await toNepali(page).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ne')
  expect(await englishLeft(page)).toEqual([])
  expect(await overflowing(page)).toEqual([])
  expect(await tooWide(page)).toEqual([])
  await page.evaluate(() => {
    // Piece by piece: the shop's own policy forbids styles in markup.
    const plant = (tag: string, text: string, style: Partial<CSSStyleDeclaration> = {}, into?: Element) => {
      const element = document.createElement(tag)
      element.textContent = text
      Object.assign(element.style, style)
      return (into ?? document.querySelector('main'))?.appendChild(element) as HTMLElement
    }
    plant('p', 'अर्डर Hello').id = 'planted'
    plant('img', '').setAttribute('alt', 'A picture')
    plant('p', 'Sita Rai').setAttribute('translate', 'no')
    plant('p', 'Sita Rai लाई')
    plant('option', 'Choose one', {}, plant('select', ''))
    plant('p', 'Hidden', { display: 'none' })
    const narrow = plant('div', '', { width: '60px', overflow: 'hidden' })
    plant('b', 'धेरै लामो शब्दहरूको लाइन', { whiteSpace: 'nowrap' }, narrow)
    plant('div', 'फराकिलो', { width: '9999px' })
    document.title = 'Offers'
  })
  const words = (await englishLeft(page)).join('\n')
  expect(words).toMatch(/p#planted: Hello/)
  expect(words).toMatch(/img\[alt\]: picture/)
  expect(words).toMatch(/option: Choose one/)
  expect(words).toMatch(/the title of the page: Offers/)
  expect(words).not.toMatch(/Sita|Hidden/)
  expect((await overflowing(page)).join('\n')).toMatch(/^b 'धेरै लामो/m)
  expect((await tooWide(page)).join('\n')).toMatch(/the page is \d+ px too wide/)
})
