import { door, STOPPED } from '../support/door.ts'
import { HOME_ADDRESS, somebody } from '../support/people.ts'
import { newSeller } from '../support/seller.ts'
import { avatar, expect, loginDialog, ON_DESKTOP, takenOver, test, toast } from '../support/shop.ts'

test.describe('a server that has stopped', ON_DESKTOP, () => {
  test('login, sign-up and the way to Google say so, and the page lives on', async ({
    page,
    allowConsole,
  }) => {
    allowConsole(STOPPED)
    const { url, shut } = await door()
    await page.goto(`${url}/about`)
    await takenOver(page)
    const dialog = await loginDialog(page)
    await shut()
    const person = somebody()
    await dialog.getByLabel('Email').fill(person.email)
    await dialog.getByLabel('Password', { exact: true }).fill(person.password)
    await dialog.locator('form').getByRole('button', { name: 'Login', exact: true }).click()
    await toast(page, 'Something went wrong. Please try again.')
    await dialog.getByRole('button', { name: 'Sign Up' }).click()
    await dialog.getByLabel('Full name').fill(person.name)
    await dialog.getByLabel('Phone').fill(person.phone)
    await dialog.getByLabel('Password', { exact: true }).fill(person.password)
    await dialog.getByRole('button', { name: 'Create Account' }).click()
    await expect(dialog.locator('form').getByText('Something went wrong. Please try again.')).toBeVisible()
  })

  test('profile, address and logout say so, and nothing typed is lost', async ({
    page,
    shopper,
    allowConsole,
  }) => {
    allowConsole(STOPPED)
    const { url, shut } = await door()
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
    await shut()
    await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
    await toast(page, 'An error occurred during logout. Please try again.')
    await expect(avatar(page, shopper)).toBeVisible()
    await page.getByRole('button', { name: 'Save Address' }).click()
    await toast(page, 'An error occurred while adding the address. Please try again.')
    await expect(form.getByLabel(/^Street/)).toHaveValue(HOME_ADDRESS.street)
  })

  test('the seller login says so', async ({ page, allowConsole }) => {
    allowConsole(STOPPED)
    const { url, shut } = await door()
    const seller = newSeller()
    await page.goto(`${url}/seller`)
    await takenOver(page)
    await page.getByLabel('Email').fill(seller.email)
    await page.getByLabel('Password', { exact: true }).fill(seller.password)
    await shut()
    await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
    await expect(page.getByTestId('toast')).toHaveCount(1)
    await expect(page.getByLabel('Email')).toHaveValue(seller.email)
  })
})
