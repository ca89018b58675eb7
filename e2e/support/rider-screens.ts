import type { Page } from '@playwright/test'
import { answer, CHECK, OWNER, screen, visible, withAnswers } from './answered-screens.ts'
import type { BuyingScreen } from './buying-screens.ts'

const RIDER = { ...OWNER, name: 'Hari Thapa', role: 'rider', permissions: ['account.own', 'deliveries.own'] }
const OWN_CASH = { '/api/cash/get_my_cash': { balance: 2585, float: 1000 } }

const item = (name: string, nameNe: string, quantity: number, packLabel: string) => ({
  _id: name,
  name,
  nameNe,
  quantity,
  packLabel,
})
const delivery = (orderId: string, changes: object) => ({
  _id: orderId,
  orderId,
  deliveryDate: '2026-11-18',
  phone: '9841234567',
  municipality: 'Kathmandu',
  ward: '10',
  landmark: 'Behind the school',
  items: [
    item('Basmati Rice', 'बासमती चामल', 2, '5 kg'),
    item('Mustard Oil', 'तोरीको तेल', 1, '1 l'),
    item('Marsi Beans from Jumla, sorted by hand', 'जुम्लाको मार्सी सिमी', 3, '500 g'),
  ],
  ...changes,
})
const DELIVERIES = [
  delivery('K7M2Q9XTRB', {
    status: 'Order Shipped',
    name: 'Asha Rai',
    address: 'Mitra Marg, Baneshwor-10, Kathmandu, Bagmati',
    cashToCollect: 2585,
  }),
  delivery('S66G9XBHYK', {
    status: 'Out for Delivery',
    name: 'Ram Bahadur Karki',
    address: 'Durbarmarg 1, Kathmandu',
    cashToCollect: 0,
  }),
  delivery('B2N8W4DQLE', {
    status: 'Out for Delivery',
    name: 'Sunita Maharjan',
    address: 'Taumadhi 4, Bhaktapur',
    cashToCollect: 1340,
  }),
]

const PAYMENT = { paymentUrl: 'https://pay.khalti.com/?pidx=HT6o6PEZRWFJ5ygavzHWd5', cashToCollect: 1340 }

/** Opens one of the forms of the last stop, which is out for delivery and pays in cash. */
const withForm = (button: string, form: string) => async (page: Page) => {
  await answer(page, { '/api/rider/pay_at_door': PAYMENT, '/api/rider/check_door_payment': PAYMENT })
  await withAnswers('/seller/deliveries', ROUND, visible('[data-testid=delivery]'))(page)
  await page.locator('[data-testid=delivery]').last().locator(button).click()
  await page.locator(form).waitFor()
}

const ROUND = { [CHECK]: RIDER, '/api/order/get_my_deliveries': DELIVERIES, ...OWN_CASH }

/** The rider's page. */
export const RIDER_SCREENS: BuyingScreen[] = [
  screen('seller-deliveries', withAnswers('/seller/deliveries', ROUND, visible('[data-testid=delivery]')), {
    ordinary: true,
  }),
  screen(
    'seller-deliveries-none',
    withAnswers(
      '/seller/deliveries',
      { [CHECK]: RIDER, '/api/order/get_my_deliveries': [], ...OWN_CASH },
      visible('.state-panel'),
    ),
  ),
  screen('seller-stop-delivered', withForm('.button-primary.stop-button', '.stop-form')),
  screen('seller-stop-wallet', withForm('.button-primary + .stop-button', '.stop-wallet svg')),
  screen('seller-stop-not-met', withForm('.button-row:last-of-type .stop-button >> nth=0', '.stop-form')),
  screen('seller-stop-returned', withForm('.button-row:last-of-type .stop-button >> nth=1', '.stop-form')),
]
