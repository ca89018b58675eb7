import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { type BuyingScreen, groceries, lines } from './buying-screens.ts'
import { order as placeOrder } from './orders.ts'
import { formOf, register, somebody } from './people.ts'
import { sellerSession } from './seller.ts'

/** A complaint with an answer of the shop; the page is logged in as the shopper who made it. */
async function complain(page: Page): Promise<string> {
  const shopper = await register(somebody('Asha Rai'))
  const goods = await groceries()
  const placed = await placeOrder(shopper, lines(goods, 2, 1))
  const [item] = placed.items
  const { _id } = await shopper.must<{ _id: string }>(
    'POST',
    '/api/complaint/open_complaint',
    formOf({
      order: placed._id,
      reason: 'damaged',
      remedy: 'refund',
      text: 'The bag was torn and half of the rice was gone. The rest is fine.',
      items: JSON.stringify([{ product: item?._id, quantity: 1 }]),
    }),
  )
  const seller = await sellerSession()
  await seller.must('POST', '/api/complaint/answer', {
    _id,
    text: 'We are sorry. Could you keep the bag until our rider comes tomorrow?',
  })
  await shopper.must('POST', '/api/complaint/add_message', { _id, text: 'Yes, I am at home until ten.' })
  await shopper.enter(page.context())
  return _id
}

const talk = (page: Page) => page.locator('[data-testid=complaint-message]').nth(2).waitFor()

/** Policies, newsletters and complaints. */
export const CARE_SCREENS: BuyingScreen[] = [
  { name: 'privacy', ordinary: true, path: '/privacy', who: 'visitor' },
  { name: 'returns', ordinary: true, path: '/returns', who: 'visitor' },
  {
    name: 'newsletter-unsubscribe',
    ordinary: true,
    path: `/newsletter/unsubscribe#token=${randomUUID()}`,
    who: 'visitor',
    prepare: (page) => page.locator('.state-panel button').waitFor(),
  },
  {
    name: 'complaint-form',
    path: '/orders',
    who: 'buyer',
    prepare: async (page) => {
      await page.locator('[data-testid=order-card] .order-head').first().click()
      await page.locator('.order-complaints > button').click()
      await page.locator('dialog .complaint-lines input').first().check()
      await page.locator('dialog button[type=submit]').click()
      await page.locator('dialog .field-error').first().waitFor()
    },
  },
  {
    name: 'complaint',
    ordinary: true,
    path: '/about',
    who: 'visitor',
    prepare: async (page) => {
      await page.goto(`/complaints/${await complain(page)}`)
      await talk(page)
    },
  },
  {
    name: 'seller-complaint',
    ordinary: true,
    path: '/about',
    who: 'seller',
    prepare: async (page) => {
      const id = await complain(page)
      await page.goto('/seller/attention')
      await page.locator(`[data-testid=seller-complaint] a[href$="${id}"]`).click()
      await talk(page)
    },
  },
  {
    name: 'seller-policies',
    ordinary: true,
    path: '/seller/policies',
    who: 'seller',
    prepare: (page) => page.locator('.policy-editor textarea').waitFor(),
  },
  {
    name: 'seller-policy-preview',
    path: '/seller/policies',
    who: 'seller',
    prepare: async (page) => {
      await page.locator('.policy-pages button').nth(2).click()
      await page.locator('.policy-tools > button').click()
      await page.locator('.policy-preview h2').first().waitFor()
    },
  },
  {
    name: 'seller-newsletters',
    ordinary: true,
    path: '/about',
    who: 'seller',
    prepare: async (page) => {
      await saveDraft()
      await page.goto('/seller/newsletter')
      await page.locator('.segments button').last().click()
      await page.locator('[data-testid=newsletter]').first().waitFor()
    },
  },
  {
    name: 'seller-newsletter-preview',
    path: '/about',
    who: 'seller',
    prepare: async (page) => {
      await saveDraft()
      await page.goto('/seller/newsletter')
      await page.locator('.segments button').last().click()
      await page.locator('[data-testid=newsletter] .button-outline').first().click()
      await page.locator('dialog .newsletter-composer > .button-outline').click()
      await page.locator('[data-testid=email-preview]').waitFor()
    },
  },
]

let drafted: Promise<unknown> | undefined
function saveDraft() {
  drafted ??= sellerSession().then((seller) =>
    seller.must('POST', '/api/newsletter/save_newsletter', {
      subject: 'Tihar: lamps, oil and sweets',
      subjectNe: 'तिहार: बत्ती, तेल र मिठाई',
      body: '# For your Tihar\n\nMustard oil, **fresh marigolds** and sel roti flour are here.\n\n- [See all offers](/offers)\n- Order by Thursday',
      bodyNe:
        '# तपाईंको तिहारका लागि\n\nतोरीको तेल, **ताजा सयपत्री** र सेलरोटीको पिठो आइपुगे।\n\n- [सबै अफर हेर्नुहोस्](/offers)\n- बिहीबारसम्म अर्डर गर्नुहोस्',
    }),
  )
  return drafted
}
