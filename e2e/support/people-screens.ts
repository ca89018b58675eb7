import type { Page } from '@playwright/test'
import { identity, signInAtProvider } from './identity.ts'
import { formOf, HOME_ADDRESS, type Person, register, somebody, type Visitor } from './people.ts'
import { png } from './pictures.ts'

/** A screen, which is identified without texts, because it is checked in both languages. */
export type PeopleScreen = {
  name: string
  path: string
  who: 'visitor' | 'shopper'
  prepare?: (page: Page) => Promise<unknown>
  /** The usual state of its page: CI checks these states only. */
  ordinary?: true
  /** Another screen contains all of it; only screenshots are taken. */
  within?: string
  /** It does not survive a resize or lasts only a moment, so it is opened again for each width. */
  fresh?: true
  /** The only widths at which it exists. */
  widths?: number[]
  /** It creates products that others would see; such screens come last. */
  makes?: true
  /** It is for print. */
  paper?: true
}

const submit = (page: Page, within: string) => page.locator(`${within} button[type=submit]`).click()

async function openLogin(page: Page) {
  await page.locator('.login-button').click()
  await page.locator('dialog input[type=password]').waitFor()
}

async function openFold(page: Page, index: number, content: string) {
  await page.locator('details.disclosure > summary').nth(index).click()
  await page.locator(`details.disclosure ${content}`).first().waitFor()
}

async function logInAsSeller(page: Page) {
  await page.locator('.seller-login input[type=email]').fill('nobody@thunse.example')
  await page.locator('.seller-login input[type=password]').fill('not-the-password')
  await submit(page, '.seller-login form')
}

export const PEOPLE_SCREENS: PeopleScreen[] = [
  {
    name: 'login',
    ordinary: true,
    path: '/about',
    who: 'visitor',
    within: 'login-refused',
    prepare: openLogin,
  },
  {
    name: 'login-refused',
    path: '/about',
    who: 'visitor',
    prepare: async (page) => {
      await openLogin(page)
      await page.locator('dialog input[type=email]').fill('nobody@example.com')
      await page.locator('dialog input[type=password]').fill('not-the-password')
      await submit(page, 'dialog form')
      await page.locator('dialog .form-problem').waitFor()
    },
  },
  {
    name: 'sign-up',
    ordinary: true,
    path: '/about',
    who: 'visitor',
    prepare: async (page) => {
      await openLogin(page)
      await page.locator('.segments button').last().click()
      await page.locator('dialog input[type=file]').waitFor({ state: 'attached' })
    },
  },
  {
    name: 'forgot-password',
    path: '/about',
    who: 'visitor',
    prepare: async (page) => {
      await openLogin(page)
      await page.locator('.auth-forgot').first().click()
      await page.locator('dialog input[type=password]').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'google-connect',
    path: '/about',
    who: 'visitor',
    prepare: async (page) => {
      const person = someone()
      await register(person)
      await page.goto('/api/user/google/start?return=/about')
      await signInAtProvider(page, identity({ email: person.email }))
      await page.locator('dialog input[type=password]').waitFor()
    },
  },
  {
    name: 'account-menu',
    path: '/about',
    who: 'shopper',
    prepare: (page) => page.locator('.account-menu > button').click(),
  },
  {
    name: 'profile',
    path: '/profile',
    who: 'shopper',
    within: 'profile-all',
    prepare: (page) => page.locator('dl.facts').waitFor(),
  },
  {
    name: 'profile-edit',
    path: '/profile',
    who: 'shopper',
    within: 'profile-problems',
    prepare: async (page) => {
      await page.locator('.profile-head button').click()
      await page.locator('#profile-name').waitFor()
    },
  },
  {
    name: 'profile-problems',
    path: '/profile',
    who: 'shopper',
    prepare: async (page) => {
      await page.locator('.profile-head button').click()
      for (const field of ['name', 'email', 'phone', 'address'])
        await page.locator(`#profile-${field}`).fill('')
      await submit(page, 'main form')
      await page.locator('.field-error').first().waitFor()
    },
  },
  {
    name: 'profile-addresses',
    path: '/profile',
    who: 'shopper',
    within: 'profile-all',
    prepare: (page) => openFold(page, 0, 'ul.rows > li'),
  },
  {
    name: 'profile-address-edit',
    path: '/profile',
    who: 'shopper',
    prepare: async (page) => {
      await openFold(page, 0, 'ul.rows > li')
      await page.locator('ul.rows > li').last().locator('button').nth(-2).click()
      await page.locator('dialog form').waitFor()
    },
  },
  {
    name: 'profile-address-delete',
    path: '/profile',
    who: 'shopper',
    prepare: async (page) => {
      await openFold(page, 0, 'ul.rows > li')
      await page.locator('ul.rows > li').last().locator('button').last().click()
      await page.locator('dialog form').waitFor()
    },
  },
  {
    name: 'profile-password',
    path: '/profile',
    who: 'shopper',
    within: 'profile-all',
    prepare: (page) => openFold(page, 1, 'input[type=password]'),
  },
  {
    name: 'profile-devices',
    path: '/profile',
    who: 'shopper',
    within: 'profile-all',
    prepare: (page) => openFold(page, 3, 'ul.rows > li'),
  },
  {
    name: 'profile-all',
    ordinary: true,
    path: '/profile',
    who: 'shopper',
    prepare: async (page) => {
      await openFold(page, 0, 'ul.rows > li')
      await openFold(page, 1, 'input[type=password]')
      await openFold(page, 2, 'ul.rows > li')
      await openFold(page, 3, 'input[type=checkbox]')
      await openFold(page, 4, '.button-danger-outline')
    },
  },
  {
    name: 'add-address',
    ordinary: true,
    path: '/add_address',
    who: 'shopper',
    within: 'add-address-problems',
  },
  { name: 'add-address-visitor', path: '/add_address', who: 'visitor' },
  {
    name: 'add-address-problems',
    path: '/add_address',
    who: 'shopper',
    prepare: async (page) => {
      await submit(page, 'main form')
      await page.locator('.field-error').first().waitFor()
    },
  },
  { name: 'orders-empty', ordinary: true, path: '/orders', who: 'shopper' },
  { name: 'orders-visitor', path: '/orders', who: 'visitor' },
  {
    name: 'reset-password',
    ordinary: true,
    path: '/reset-password#token=made-up',
    who: 'visitor',
    prepare: (page) => page.locator('main input[type=password]').waitFor(),
  },
  { name: 'reset-password-no-link', path: '/reset-password', who: 'visitor' },
  { name: 'unsubscribe', ordinary: true, path: '/unsubscribe#token=made-up', who: 'visitor' },
  {
    name: 'confirm-email-refused',
    path: '/confirm-email#token=made-up',
    who: 'visitor',
    prepare: (page) => page.locator('main [aria-busy=false]').waitFor(),
  },
  {
    name: 'confirm-email-done',
    ordinary: true,
    path: '/about',
    who: 'visitor',
    prepare: async (page) => {
      const email = 'ram.bahadur@example.com'
      await page.route('**/api/user/email/confirm', (route) =>
        route.fulfill({ json: { success: true, message: '', data: { email } } }),
      )
      await page.goto('/confirm-email#token=made-up')
      await page.locator('main [aria-busy=false]').waitFor()
    },
  },
  { name: 'cancel-email-change', ordinary: true, path: '/cancel-email-change#token=made-up', who: 'visitor' },
  {
    name: 'seller-login-refused',
    path: '/seller',
    who: 'visitor',
    prepare: async (page) => {
      await logInAsSeller(page)
      await page.locator('.seller-login .form-problem').waitFor()
    },
  },
  {
    name: 'seller-second-step',
    path: '/seller',
    who: 'visitor',
    prepare: async (page) => {
      const message = 'Enter the six digits of your authenticator app.'
      await page.route('**/api/seller/login', (route) =>
        route.fulfill({ status: 401, json: { success: false, code: 'second_step', message } }),
      )
      await logInAsSeller(page)
      await page.locator('input[name=code]').waitFor()
    },
  },
  {
    name: 'seller-login',
    ordinary: true,
    path: '/seller',
    who: 'visitor',
    prepare: (page) => page.locator('.seller-login form').waitFor(),
  },
]

/** A person with an email address short enough for screenshots. */
const someone = (): Person => {
  const person = somebody('Ram Bahadur Karki')
  return { ...person, email: `ram.${person.email.slice(4, 12)}@example.com` }
}

/** A shopper with all data: photo, two addresses, two devices. */
async function fullShopper(): Promise<Visitor> {
  const person = someone()
  const session = await register(person)
  const { name, email, phone } = person
  const photo = new Blob([new Uint8Array(png(320, 320, [140, 90, 40]))], { type: 'image/png' })
  const form = formOf({ name, email, phone, address: 'Baneshwor-10, Kathmandu' })
  form.append('image', photo, 'me.png')
  await session.must('PUT', '/api/user/updateProfile', form)
  await session.must('POST', '/api/address/add_address', HOME_ADDRESS)
  await session.must('POST', '/api/address/add_address', {
    ...HOME_ADDRESS,
    address: 'Office',
    street: 'Durbarmarg 1',
  })
  return session
}

/** Signed in once for all screens of a worker, which change nothing. */
let shopper: Promise<Visitor> | undefined

export async function enterAs(page: Page, who: PeopleScreen['who']) {
  if (who === 'visitor') return
  shopper ??= fullShopper()
  await (await shopper).enter(page.context())
}
