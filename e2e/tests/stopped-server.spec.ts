import { HOME_ADDRESS } from '../support/people.ts'
import { avatar, expect, ON_DESKTOP, takenOver, test, toast } from '../support/shop.ts'
import { STOPPED, stoppableProxy } from '../support/stoppable-proxy.ts'

test(
  'with a stopped server, an address and logout say so, and nothing typed is lost',
  ON_DESKTOP,
  async ({ page, shopper, allowConsole }) => {
    allowConsole(STOPPED)
    const { url, stop } = await stoppableProxy()
    await page.goto(`${url}/add_address`)
    await takenOver(page)
    const form = page.getByRole('main').locator('form')
    await form.getByLabel(/^Address name/).fill(HOME_ADDRESS.address)
    await form.getByLabel(/^Phone/).fill(HOME_ADDRESS.phone)
    await form.getByLabel(/^Street/).fill(HOME_ADDRESS.street)
    await form.getByLabel(/^City/).fill(HOME_ADDRESS.city)
    await form.getByLabel(/^State/).fill(HOME_ADDRESS.state)
    await form.getByLabel(/^Country/).fill(HOME_ADDRESS.country)
    await form.getByLabel(/^Postal code/).fill(HOME_ADDRESS.pincode)
    await avatar(page, shopper).click()
    await expect(page.getByRole('banner').getByRole('button', { name: 'Logout' })).toBeVisible()
    await stop()
    await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
    await toast(page, 'An error occurred during logout. Please try again.')
    await expect(avatar(page, shopper)).toBeVisible()
    await page.getByRole('button', { name: 'Save Address' }).click()
    await toast(page, 'An error occurred while adding the address. Please try again.')
    await expect(form.getByLabel(/^Street/)).toHaveValue(HOME_ADDRESS.street)
  },
)
