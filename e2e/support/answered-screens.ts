import type { Page } from '@playwright/test'
import type { BuyingScreen } from './buying-screens.ts'

/** Responds to these calls in place of the shop, because zones and staff would change the screens of all others. */
export async function answer(page: Page, responses: Record<string, unknown>) {
  for (const [path, data] of Object.entries(responses))
    await page.route(
      (url) => url.pathname === path,
      (route) => route.fulfill({ json: { success: true, message: '', data } }),
    )
}

export const refuse = (page: Page, path: string, status: number, code: string) =>
  page.route(`**${path}`, (route) =>
    route.fulfill({ status, json: { success: false, code, message: code, data: null } }),
  )

export const OWNER = {
  name: 'Sita Karki',
  email: 'sita.karki@thunse.example',
  role: 'owner',
  secondFactor: true,
  secondFactorSetupNeeded: false,
  passwordChangeNeeded: false,
  deviceRemembered: false,
}
export const CHECK = '/api/seller/checkSeller'

/** Opens a page of the dashboard with these responses in place of the shop's. */
export const withAnswers =
  (path: string, responses: Record<string, unknown>, then: (page: Page) => Promise<unknown>) =>
  async (page: Page) => {
    await answer(page, responses)
    await page.goto(path)
    await then(page)
  }

export const visible = (selector: string) => (page: Page) => page.locator(selector).first().waitFor()
export const screen = (
  name: string,
  prepare: BuyingScreen['prepare'],
  changes: object = {},
): BuyingScreen => ({
  name,
  path: '/about',
  who: 'seller',
  ...(prepare ? { prepare } : {}),
  ...changes,
})
