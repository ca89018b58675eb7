import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { fiveHundred } from '../support/database.ts'
import { addProduct, atDesk, changeProduct, endSession, unheard } from '../support/desk.ts'
import { bill, order, setStatus } from '../support/orders.ts'
import { fault, register, somebody, unreachable, unsuccessful, type Visitor } from '../support/people.ts'
import { newSeller, sellerSession } from '../support/seller.ts'
import {
  BROKEN,
  expect,
  isPhone,
  ON_DESKTOP,
  ON_PHONE,
  open,
  REFUSED,
  takenOver,
  test,
  toast,
} from '../support/shop.ts'

const SETTINGS = '/api/shop/get_settings'
const SAVE = '/api/shop/update_settings'
type Settings = Record<string, unknown> & { version: string; banners: unknown[]; social: unknown[] }

test('the side navigation leads to every page of the desk; at 360 px the others are behind More', async ({
  page,
}) => {
  await atDesk(page, '/seller')
  for (const [name, path] of [
    ['Overview', '/seller/overview'],
    ['Needs attention', '/seller/attention'],
    ['Money', '/seller/money'],
    ['Settings', '/seller/settings'],
    ['Newsletter', '/seller/newsletter'],
    ['Audit', '/seller/audit'],
  ] as const) {
    const nav = page.getByRole('navigation', { name: 'Seller' })
    if (isPhone(page)) {
      await nav.getByRole('button', { name: 'More' }).click()
      await page.getByRole('dialog').getByRole('link', { name }).click()
    } else await nav.getByRole('link', { name }).click()
    await expect(page).toHaveURL(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})

test.describe('the overview', () => {
  const figure = (page: Page, name: string) => page.getByTestId(`figure-${name}`).locator('dd')
  const number = async (of: Locator) =>
    Number((await of.textContent())?.replace(/[^\d.]/g, '').replace(/^\./, ''))

  test('orders, revenue, average, cash, online and cancelled of the time that was chosen', async ({
    page,
  }) => {
    const { seller } = await atDesk(page, '/seller/overview?days=1')
    const before = await seller.must<{ figures: Record<string, number> }>(
      'GET',
      '/api/order/get_overview?days=1',
    )
    const session = await register(somebody())
    const [placed, given] = [
      await order(session, [[fiveHundred(), 1]]),
      await order(session, [[fiveHundred(), 1]]),
    ]
    await setStatus(seller, given, 'Cancelled')
    // Kept for a moment by the server; other tests sell meanwhile, so at least this much is there.
    await expect
      .poll(
        async () => {
          await page.reload()
          await takenOver(page)
          await expect(figure(page, 'orders')).toBeVisible()
          return number(figure(page, 'orders'))
        },
        { timeout: 20_000, intervals: [1_000] },
      )
      .toBeGreaterThan(before.figures.orders ?? 0)
    expect(await number(figure(page, 'revenue'))).toBeGreaterThanOrEqual(
      (before.figures.revenue ?? 0) + bill([[fiveHundred(), 1]]).total / 100 - 0.01,
    )
    expect(await number(figure(page, 'cancelled'))).toBeGreaterThan(before.figures.cancelled ?? 0)
    for (const name of ['averageBasket', 'cashToCollect', 'paidOnline'])
      await expect(figure(page, name)).toHaveText(/^Rs\. [\d,]/)
    expect(placed.status).toBe('Order Placed')
  })

  test(
    'the days as a chart that can be walked by arrow keys, and as a table',
    ON_DESKTOP,
    async ({ page }) => {
      await order(await register(somebody()), [[fiveHundred(), 1]])
      await atDesk(page, '/seller/overview')
      await page.getByRole('button', { name: '30 days' }).click()
      await expect(page).toHaveURL(/days=30/)
      await expect(page.getByRole('button', { name: '30 days' })).toHaveAttribute('aria-pressed', 'true')
      await page.getByRole('button', { name: 'Show as a table' }).click()
      const table = page.getByRole('main').getByRole('table')
      await expect(table.getByRole('row')).toHaveCount(31)
    },
  )

  test(
    'what sold best, what runs low and what needs attention, each with a way to it',
    ON_DESKTOP,
    async ({ page }) => {
      await order(await register(somebody()), [[fiveHundred(), 3]])
      await addProduct(await sellerSession(), { stock: '1' })
      await atDesk(page, '/seller/overview?days=1')
      await expect(page.getByTestId('top-product').first()).toBeVisible()
      await expect(page.getByTestId('top-product')).not.toHaveCount(11)
      await page
        .getByRole('main')
        .getByRole('link', { name: /running low/ })
        .click()
      await expect(page).toHaveURL(/stock=low/)
      await page.goBack()
      await page
        .getByRole('main')
        .getByRole('link', { name: /Needs attention/ })
        .click()
      await expect(page).toHaveURL('/seller/attention')
    },
  )

  for (const [way, spoil, text] of [
    ['an unsuccessful answer', unsuccessful, 'Failed to fetch the overview.'],
    ['no connection', unreachable, 'An error occurred while fetching the overview. Please try again.'],
  ] as const) {
    test(`${way}: '${text}', and it can be tried again`, ON_DESKTOP, async ({ page, allowConsole }) => {
      allowConsole(BROKEN)
      await spoil(page, '/api/order/get_overview?*')
      await atDesk(page, '/seller/overview')
      await toast(page, text)
      await page.unrouteAll()
      await page.getByRole('main').getByRole('button', { name: 'Try again' }).first().click()
      await expect(figure(page, 'orders')).toBeVisible()
    })
  }
})

// One shop has one set of settings: one test after the other, at one width.
test.describe('the settings', ON_DESKTOP, () => {
  test.describe.configure({ mode: 'serial' })
  const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
  const save = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Save changes' })
  let first: Settings
  let keeper: Visitor

  test.beforeAll(async () => {
    keeper = await sellerSession()
    first = await keeper.must<Settings>('GET', SETTINGS)
  })
  test.afterAll(async () => {
    const { version } = await keeper.must<Settings>('GET', SETTINGS)
    await keeper.must('PUT', SAVE, { ...first, version })
  })

  test('registration, officer, promise and links are on every page’s foot and on /about, at both copies', async ({
    page,
  }) => {
    await atDesk(page, '/seller/settings')
    const mark = unheard()
    await group(page, 'Registration').getByLabel('Business registration number').fill(`REG-${mark}`)
    await group(page, 'Registration').getByLabel('PAN/VAT number').fill('609876543')
    await group(page, 'Grievance officer').getByLabel('Name').fill('Gita Sharma')
    await group(page, 'Grievance officer').getByLabel('Phone').fill('9841000001')
    await group(page, 'Grievance officer').getByLabel('Email').fill('gita@thunse.example')
    await group(page, 'Delivery promise').getByLabel('In English').fill(`Within two days, ${mark}.`)
    await expect(page.getByText('You have unsaved changes.')).toBeVisible()
    await save(page).click()
    await toast(page, 'Settings saved.')
    for (const path of ['/', '/about']) {
      await expect(async () => {
        await open(page, path)
        await expect(page.getByRole('contentinfo')).toContainText(`REG-${mark}`, { timeout: 1_000 })
      }).toPass({ timeout: 10_000 })
      await expect(page.getByRole('contentinfo')).toContainText('609876543')
    }
    for (const text of ['Gita Sharma', '9841000001', 'gita@thunse.example', `Within two days, ${mark}.`])
      await expect(page.getByRole('main')).toContainText(text)
  })

  test('a banner is previewed, and shown in the ad slot', async ({ page }) => {
    await atDesk(page, '/seller/settings')
    const mark = unheard()
    for (let left = await page.getByTestId('banners-row').count(); left > 0; left--)
      await page
        .getByTestId('banners-row')
        .first()
        .getByRole('button', { name: /^Remove/ })
        .click()
    await page.getByRole('button', { name: 'Add a banner' }).click()
    const row = page.getByTestId('banners-row')
    await row.getByLabel('Title', { exact: true }).fill(`Dashain ${mark}`)
    await row.getByLabel('Text', { exact: true }).fill('Everything for the feast')
    await row.getByLabel('Leads to').fill('/offers')
    await expect(page.getByTestId('banner-preview')).toContainText(`Dashain ${mark}`)
    await save(page).click()
    await toast(page, 'Settings saved.')
    await expect(async () => {
      await open(page, '/')
      await expect(page.getByTestId('ad-slot')).toContainText(`Dashain ${mark}`, { timeout: 2_000 })
    }).toPass({ timeout: 15_000 })
    await page.getByTestId('ad-slot').getByRole('link').first().click()
    await expect(page).toHaveURL('/offers')
  })

  test('what cannot be right is named at its field and not sent; what the server refuses, too', async ({
    page,
    allowConsole,
  }) => {
    allowConsole(REFUSED)
    await atDesk(page, '/seller/settings')
    await group(page, 'Contact').getByLabel('Email').fill('nobody')
    await save(page).click()
    await expect(
      page.locator('.field-error').filter({ hasText: 'This is not an email address.' }),
    ).toBeVisible()
    await expect(page.locator('.error-summary')).toBeFocused()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await expect(group(page, 'Contact').getByLabel('Email')).not.toHaveValue('nobody')
  })

  test('two sellers at once: the second is told, and chooses', async ({ page, allowConsole }) => {
    allowConsole(REFUSED)
    await atDesk(page, '/seller/settings')
    await group(page, 'Registration').getByLabel('PAN/VAT number').fill('111111111')
    const now = await keeper.must<Settings>('GET', SETTINGS)
    await keeper.must('PUT', SAVE, { ...now, panNumber: '222222222' })
    await save(page).click()
    const conflict = page.getByTestId('conflict')
    await expect(conflict).toContainText('Somebody else has changed the settings meanwhile.')
    await expect(conflict).toContainText('PAN/VAT number')
    expect((await keeper.must<Settings>('GET', SETTINGS)).panNumber).toBe('222222222')
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    await toast(page, 'Settings saved.')
    expect((await keeper.must<Settings>('GET', SETTINGS)).panNumber).toBe('111111111')
  })

  test('leaving with unsaved changes is asked about', async ({ page }) => {
    await atDesk(page, '/seller/settings')
    await group(page, 'Registration').getByLabel('PAN/VAT number').fill('333333333')
    const orders = page.getByRole('navigation', { name: 'Seller' }).getByRole('link', { name: 'Orders' })
    await orders.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
    await expect(page).toHaveURL('/seller/settings')
    await orders.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await expect(page).toHaveURL('/seller/orders')
  })

  test('saving that fails is said, and nothing typed is lost', async ({ page, allowConsole }) => {
    allowConsole(BROKEN, REFUSED)
    const { who } = await atDesk(page, '/seller/settings')
    const pan = group(page, 'Registration').getByLabel('PAN/VAT number')
    await pan.fill('444444444')
    await fault(page, SAVE)
    await save(page).click()
    await toast(page, 'An error occurred while saving the settings. Please try again.')
    await expect(pan).toHaveValue('444444444')
    await page.unrouteAll()
    endSession(who)
    const answered = page.waitForResponse(`**${SAVE}`)
    await save(page).click()
    expect((await answered).status()).toBe(401)
    expect((await keeper.must<Settings>('GET', SETTINGS)).panNumber).not.toBe('444444444')
  })
})

test.describe('the newsletter', () => {
  async function subscriber(): Promise<string> {
    const email = `reader-${unheard()}@example.com`
    const answer = await (await sellerSession()).call('POST', '/api/subscriber/add_subscriber', { email })
    expect(answer.status).toBe(200)
    return email
  }

  test('subscribers, newest first; the search finds part of an address', async ({ page }) => {
    const [one, two] = [await subscriber(), await subscriber()]
    await atDesk(page, '/seller/newsletter')
    const main = page.getByRole('main')
    await expect(main).toContainText(one)
    await expect(main).toContainText(two)
    await main.getByRole('searchbox').fill(one.slice(7, 15).toUpperCase())
    await expect(main).not.toContainText(two)
    await expect(main).toContainText(one)
  })

  test('the export has every address, its language and its day', ON_DESKTOP, async ({ page }) => {
    const email = await subscriber()
    await atDesk(page, '/seller/newsletter')
    const coming = page.waitForEvent('download')
    await page
      .getByRole('main')
      .getByRole('button', { name: /Export|CSV/ })
      .or(page.getByRole('main').getByRole('link', { name: /Export|CSV/ }))
      .click()
    const download = await coming
    expect(download.suggestedFilename()).toMatch(/\.csv$/)
    const line = (await readFile(await download.path(), 'utf8'))
      .split('\r\n')
      .find((each) => each.replace(/^"/, '').startsWith(email))
    expect(line).toMatch(/,(en|ne),\d{4}-\d\d-\d\d/)
  })
})

test.describe('the audit', () => {
  test('who did what to what, with before and after; the search finds the thing and the deed', async ({
    page,
  }) => {
    const other = await sellerSession(newSeller())
    const product = await addProduct(other)
    await changeProduct(other, product, { price: '133' })
    await atDesk(page, '/seller/audit')
    const main = page.getByRole('main')
    await main.getByRole('searchbox').fill(product.name.split(' ').at(-1) ?? '')
    await expect(main).toContainText(product.name)
    await expect(main).toContainText('Sita')
    await expect(main).toContainText('133')
    await expect(main).toContainText('120')
    await main.getByRole('searchbox').fill('xyzzy')
    await expect(main).not.toContainText(product.name)
  })

  test(
    'a list that does not come is said, and can be tried again',
    ON_PHONE,
    async ({ page, allowConsole }) => {
      allowConsole(BROKEN)
      await unreachable(page, '/api/seller/get_audit*')
      await atDesk(page, '/seller/audit')
      await expect(page.getByTestId('toast')).toHaveCount(1)
      await page.unrouteAll()
      await page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
      await expect(page.getByRole('main').getByRole('button', { name: 'Try again' })).toHaveCount(0)
    },
  )
})
