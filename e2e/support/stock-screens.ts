import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { type BuyingScreen, groceries } from './buying-screens.ts'
import { sellerSession } from './seller.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const dayFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

/** Receives some goods, one of them with a cost and a batch that expires soon. */
async function receive(page: Page, path: string) {
  const seller = await sellerSession()
  const [first, second] = await groceries()
  await seller.must('PUT', `/api/inventory/save_supplier/${randomUUID()}`, {
    name: `Kalimati Traders ${randomUUID().slice(0, 4)}`,
    phone: '01-4271234',
  })
  await seller.must('POST', '/api/inventory/receive_goods', {
    _id: randomUUID(),
    invoice: 'A-17',
    lines: [
      { product: first?.id, quantity: 12, cost: 80, expiresOn: dayFromNow(2) },
      { product: second?.id, quantity: 5 },
    ],
  })
  await page.goto(path)
}

/** Goods in, waste, stock-taking and margins. */
export const STOCK_SCREENS: BuyingScreen[] = [
  {
    name: 'seller-stock-receive',
    ordinary: true,
    path: '/seller/stock',
    who: 'seller',
    prepare: async (page) => {
      await receive(page, '/seller/stock')
      await page.locator('[data-testid=receipt]').first().waitFor()
      await page.locator('.stock-picker input').fill('rice')
      await page.locator('.stock-picker li button').first().click()
      await page.locator('[data-testid=receive-line]').waitFor()
    },
  },
  {
    name: 'seller-stock-waste',
    path: '/seller/stock?tab=waste',
    who: 'seller',
    prepare: async (page) => {
      await receive(page, '/seller/stock?tab=waste')
      await page.locator('[data-testid=batch]').first().waitFor()
      await page.locator('.stock-picker input').fill('rice')
      await page.locator('.stock-picker li button').first().click()
      await page.locator('[data-testid=waste-product]').waitFor()
    },
  },
  {
    name: 'seller-stock-count',
    path: '/seller/stock?tab=count',
    who: 'seller',
    prepare: async (page) => {
      await page.locator('form.box button[type=submit]').click()
      const rows = page.locator('[data-testid=count-row]')
      await rows.first().waitFor()
      for (const [row, counted] of [
        [0, '3'],
        [1, '500'],
      ] as const) {
        await rows.nth(row).locator('input').fill(counted)
        await rows.nth(row).locator('button').click()
        await rows.nth(row).locator('.stock-result').waitFor()
      }
    },
  },
  {
    name: 'seller-stock-suppliers',
    path: '/seller/stock?tab=suppliers',
    who: 'seller',
    prepare: async (page) => {
      await receive(page, '/seller/stock?tab=suppliers')
      await page.locator('[data-testid=supplier]').first().waitFor()
    },
  },
  {
    name: 'seller-margin',
    ordinary: true,
    path: '/seller/margin',
    who: 'seller',
    prepare: (page) => page.locator('.money-totals, .state-panel').first().waitFor(),
  },
]
