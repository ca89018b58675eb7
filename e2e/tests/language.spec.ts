import type { Page } from '@playwright/test'
import { waitForEmail } from '../support/emails.ts'
import { englishLeft, overflowing } from '../support/english.ts'
import { ownProducts } from '../support/goods.ts'
import { addHome, order } from '../support/orders.ts'
import { register, somebody } from '../support/people.ts'
import { tooWide } from '../support/screen-checks.ts'
import { cartCount, expect, ON_DESKTOP, open, reload, test, toast } from '../support/shop.ts'

const toNepali = (page: Page) => page.locator('button.language-switch[lang=ne]')
const toEnglish = (page: Page) => page.locator('button.language-switch[lang=en]')

test(
  'the switch turns the shop Nepali, keeps page, filter and cart, and the choice lasts',
  ON_DESKTOP,
  async ({ page, request, baseURL }) => {
    const { word } = await ownProducts(['Mustard Oil'], { nameNe: 'तोरीको तेल', price: '525' })
    await open(page, `/products?search=${word}`)
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await page.locator('main article.card').getByRole('button', { name: 'Add to Cart' }).click()
    await expect(toNepali(page)).toHaveAccessibleName('नेपालीमा हेर्नुहोस्')
    await toNepali(page).click()

    await expect(page.locator('html')).toHaveAttribute('lang', 'ne')
    await expect(page).toHaveURL(`/products?search=${word}`)
    await expect(page).toHaveTitle(/थुन्से$/)
    await expect(page.locator('main').getByRole('textbox').first()).toHaveValue(word)
    await expect(cartCount(page)).toHaveText('१')
    const names = page.getByRole('banner').getByRole('navigation').getByRole('link')
    await expect(names).toHaveText(['गृहपृष्ठ', 'सामान', 'वर्गहरू', 'अफरहरू'])
    const card = page.locator('main article.card')
    await expect(card.locator('h3')).toHaveText('तोरीको तेल')
    await expect(card.locator('.price')).toHaveText('रु. ५२५')
    await card.getByRole('link').first().click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('तोरीको तेल')
    await page.locator('article.detail').getByRole('button', { name: 'कार्टमा थप्नुहोस्' }).click()
    await toast(page, 'कार्टमा थपियो')
    await page.getByRole('banner').locator('a[href="/cart"]').click()
    await expect(page.getByTestId('summary-subtotal')).toHaveText('रु. १०५०.००')

    const cookie = (await page.context().cookies()).find(({ name }) => name === '__Host-lang')
    expect(cookie).toMatchObject({ value: 'ne', path: '/', sameSite: 'Lax' })
    const html = await (await request.get(`${baseURL}/`, { headers: { cookie: 'lang=ne' } })).text()
    expect(html).toContain('<html lang="ne">')
    expect(html).toContain('थुन्सेमा स्वागत छ')
    await open(page, '/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('थुन्सेमा स्वागत छ')
    await toEnglish(page).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome to Thunse')
    await reload(page)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome to Thunse')
  },
)

/** This time's date in Nepali: the Gregorian day beside Bikram Sambat, as far as the table reaches. */
function dateInNepali(iso: string): string {
  const at = new Date(iso)
  const [, , day] = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kathmandu' }).format(at).split('-')
  const digits = String(Number(day)).replace(/\d/g, (each) => String.fromCharCode(0x966 + Number(each)))
  const gregorian = `${digits} \\S+ २०[०-९]{2}`
  return at < new Date('2027-04-13T18:15:00Z') ? `[०-९]{1,2} \\S+ २०[०-९]{2} \\(${gregorian}\\)` : gregorian
}

test('an order of a Nepali reader is dated by Bikram Sambat, on its card and in its email, and is found by Nepali digits', async ({
  page,
}) => {
  const person = somebody('Asha Rai')
  const session = await register(person)
  session.cookies.set('lang', 'ne')
  await addHome(session)
  const { products } = await ownProducts(['Ilam Tea'], { price: '120' })
  const [{ _id: id, name } = { _id: '', name: '' }] = products
  const placed = await order(session, [[{ id, name, nameNe: '', paisa: 120_00, stock: 42 }, 2]])
  await session.enter(page.context())
  await open(page, '/orders')
  const card = page.getByTestId('order-card')
  const placedOn = new RegExp(`^${dateInNepali(placed.date)}`)
  await expect(card.locator('h2 time')).toHaveText(placedOn)
  await card.locator('h2 button').click()
  await expect(card.getByTestId('timeline').locator('time').first()).toHaveText(placedOn)
  const email = await waitForEmail(person.email, ({ subject }) => subject.includes(placed.orderId))
  expect(email.subject).toContain('आफ्नो इमेल पुष्टि गर्नुहोस्')
  expect(email.text).toMatch(new RegExp(`${dateInNepali(`${placed.deliveryDate}T12:00:00+05:45`)} सम्म`))
  expect(email.text).toMatch(/२ × .+: रु\. [०-९,]+\.[०-९]{2}/)
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
    // Styles are set by script, because the content security policy forbids them in markup.
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
