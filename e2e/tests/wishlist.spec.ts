import { waitForEmail } from '../support/emails.ts'
import { ownProducts, pathOf } from '../support/goods.ts'
import { register, somebody } from '../support/people.ts'
import { changeProduct } from '../support/seller-catalogue.ts'
import { avatar, expect, open, test, toast } from '../support/shop.ts'

test('a visitor marks a favourite and logs in, waits for a sold-out product and is told when it is back', async ({
  page,
}) => {
  const person = somebody()
  await register(person)
  const { products, seller } = await ownProducts(['Honey'], { stock: '0' })
  const [honey] = products
  if (!honey) throw new Error('no product')
  await open(page, pathOf(honey))

  await page.getByRole('button', { name: 'Favourite', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Login' })
  await dialog.getByLabel('Email').fill(person.email)
  await dialog.getByLabel('Password', { exact: true }).fill(person.password)
  await dialog.locator('form').getByRole('button', { name: 'Login', exact: true }).click()
  await toast(page, 'Added to favourites')

  await page.getByRole('button', { name: 'Tell me when it is back' }).click()
  await expect(page.getByText('We will email you when it is back')).toBeVisible()
  await avatar(page, person).click()
  await page.getByRole('banner').getByRole('link', { name: 'Favourites' }).click()
  await expect(page).toHaveURL('/favourites')
  await expect(page.getByRole('link', { name: honey.name })).toBeVisible()

  await changeProduct(seller, honey, { stock: '5', stockWas: '0' })

  const email = await waitForEmail(
    person.email,
    ({ subject }) => subject === `${honey.name} is back in stock`,
  )
  expect(email.text).toContain(pathOf(honey))
})
