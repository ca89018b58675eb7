import { waitForEmail } from '../support/emails.ts'
import { Visitor } from '../support/people.ts'
import { sellerSession } from '../support/seller.ts'
import { openDashboard } from '../support/seller-catalogue.ts'
import { expect, ON_DESKTOP, REFUSED, reload, test, toast } from '../support/shop.ts'

const NEW = 'three sacks of jumla beans'

test(
  'a seller changes the password, which ends other sessions, and signs out a device',
  ON_DESKTOP,
  async ({ page, allowConsole }) => {
    allowConsole(REFUSED)
    const { who } = await openDashboard(page, '/seller/security')
    const isSeller = async (visitor: Visitor) =>
      (await visitor.call('GET', '/api/seller/checkSeller')).status === 200
    const earlier = await sellerSession(who)
    const form = page.locator('form').filter({ has: page.getByLabel('New password') })
    await form.getByLabel('Current password').fill('not this one at all')
    await form.getByLabel('New password').fill(NEW)
    await form.getByRole('button', { name: 'Change password' }).click()
    await toast(page, 'The current password is incorrect.')
    await form.getByLabel('Current password').fill(who.password)
    await form.getByRole('button', { name: 'Change password' }).click()
    await toast(page, 'Your password has been changed.')
    expect(await isSeller(earlier)).toBe(false)
    expect((await new Visitor().call('POST', '/api/seller/login', who)).status).toBe(401)
    await waitForEmail(who.email, ({ subject }) => subject === 'Your seller password has been changed')

    const later = await sellerSession({ ...who, password: NEW })
    await reload(page)
    const rows = page.locator('main .rows > li')
    await expect(rows).toHaveCount(2)
    await expect(rows.filter({ hasText: 'This device' })).toHaveCount(1)
    await page.getByRole('button', { name: 'Log out all other devices' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Log out all other devices' }).click()
    await toast(page, 'All other devices have been logged out.')
    await expect(rows).toHaveCount(1)
    expect(await isSeller(later)).toBe(false)
  },
)
