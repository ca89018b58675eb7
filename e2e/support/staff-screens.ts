import type { Page } from '@playwright/test'
import { answer, CHECK, OWNER, refuse, screen, visible, withAnswers } from './answered-screens.ts'
import type { BuyingScreen } from './buying-screens.ts'

const member = (name: string, changes: object = {}) => ({
  _id: name,
  name,
  email: `${name.toLowerCase().replaceAll(' ', '.')}@thunse.example`,
  role: 'packer',
  secondFactor: false,
  disabled: false,
  current: false,
  createdAt: '2026-11-10T02:00:00Z',
  ...changes,
})
const STAFF = {
  members: [
    member('Sita Karki', { role: 'owner', current: true, secondFactor: true }),
    member('Gita Shrestha', { role: 'manager', secondFactor: true }),
    member('Bishnu Prasad Upadhyaya Devkota'),
    member('Hari Thapa', { role: 'rider' }),
    member('Maya Gurung', { disabled: true }),
  ],
  invitations: [
    {
      _id: 'i-1',
      name: 'Rita Tamang',
      email: 'rita.tamang@thunse.example',
      role: 'rider',
      expiresAt: '2026-11-20T02:00:00Z',
    },
  ],
}
const QR = {
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  otpauthUrl:
    'otpauth://totp/Thunse:sita.karki%40thunse.example?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Thunse',
}
const BACKUP = {
  backupCodes: Array.from({ length: 10 }, (_, n) => `k7m2-9xtr-bcde-fgh${n}`),
}

const window = (id: string, starts: string, ends: string, weekdays = [0, 1, 2, 3, 4, 5, 6]) => ({
  _id: id,
  weekdays,
  starts,
  ends,
  cutoffMinutes: 720,
  capacity: 20,
})
const RULES = {
  zones: [
    {
      _id: 'z-1',
      name: 'Kathmandu city',
      nameNe: 'काठमाडौँ सहर',
      fee: 50,
      freeAbove: 2000,
      minimum: 300,
      isActive: true,
      areas: [
        { district: 'Kathmandu', municipality: 'Kathmandu', wards: [1, 2, 3, 9, 10, 11, 29, 31, 32] },
        { district: 'Kathmandu', municipality: 'Kirtipur', wards: null },
      ],
      windows: [window('w-1', '07:00', '10:00'), window('w-2', '16:00', '19:00', [0, 1, 2, 3, 4, 5])],
      version: 'v1',
    },
    {
      _id: 'z-2',
      name: 'Lalitpur',
      nameNe: 'ललितपुर',
      fee: 80,
      freeAbove: null,
      minimum: 0,
      isActive: false,
      areas: [{ district: 'Lalitpur', municipality: 'Lalitpur', wards: null }],
      windows: [],
      version: 'v1',
    },
  ],
  closedDays: [
    { _id: 'c-1', day: null, weekday: 6, reason: '', reasonNe: '' },
    { _id: 'c-2', day: '2026-11-25', weekday: null, reason: 'Family wedding', reasonNe: 'विवाह' },
  ],
  today: '2026-11-18',
}

const slot = (id: string, starts: string, ends: string, left: number) => ({ id, starts, ends, left })
const DAYS = ['2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23'].map(
  (day, n) => ({
    day,
    windows: [
      slot('w-1', '07:00', '10:00', n === 0 ? 0 : 12),
      slot('w-2', '12:00', '14:00', 3),
      slot('w-3', '16:00', '19:00', 20),
    ],
  }),
)
const options = (changes: object) => ({
  coverage: 'zone',
  zone: { name: 'Kathmandu city', nameNe: 'काठमाडौँ सहर' },
  fee: 50,
  freeAbove: 2000,
  minimum: 300,
  hasWindows: true,
  days: DAYS,
  next: { day: '2026-11-18', window: 'w-2' },
  deliveryDate: '2026-11-18',
  zones: [
    { name: 'Kathmandu city', nameNe: 'काठमाडौँ सहर' },
    { name: 'Lalitpur', nameNe: 'ललितपुर' },
  ],
  closedToday: null,
  ...changes,
})

const FAILED = ['push', 'email', 'sms'].map((channel, n) => ({
  id: `d-${n}`,
  channel,
  about: n === 1 ? 'order_changed' : 'new_order',
  order: 'TH7K2M',
  recipient: n === 1 ? '' : 'Bishnu Prasad Upadhyaya Devkota',
  problem: 'the push service did not accept the message: 500 Internal Server Error',
  failedAt: '2026-11-17T02:00:00Z',
}))

async function startSecondFactor(page: Page) {
  await page.locator('.box > form.form button[type=submit]').last().waitFor()
  await page
    .locator(
      '[aria-labelledby=security-second-factor] button[type=submit], .first-password button[type=submit]',
    )
    .click()
  await page.locator('.secret').waitFor()
}

export async function openCart(page: Page, changes: object) {
  await answer(page, { '/api/delivery/options': options(changes) })
  await page.goto('/cart')
  await page.locator('.delivery-time').waitFor()
}

async function openLogin(page: Page) {
  await page.locator('.login-button').click()
  await page.locator('dialog .auth-forgot').last().click()
  await page.locator('dialog input[type=tel], dialog input[name=phone]').waitFor()
}

/** Staff, second factor, counter device, zones, delivery times and codes by SMS. */
export const STAFF_SCREENS: BuyingScreen[] = [
  screen(
    'seller-staff',
    withAnswers('/seller/staff', { '/api/seller/staff': STAFF }, visible('[data-testid=member]')),
    {
      ordinary: true,
    },
  ),
  screen('seller-staff-question', async (page) => {
    await withAnswers('/seller/staff', { '/api/seller/staff': STAFF }, visible('[data-testid=member]'))(page)
    await page.locator('[data-testid=member] .staff-actions button').nth(1).click()
    await page.locator('dialog').waitFor()
  }),
  screen(
    'seller-join',
    withAnswers(
      '/seller/join#token=made-up',
      {
        '/api/seller/invitation/get': {
          email: 'rita.tamang@thunse.example',
          name: 'Rita Tamang',
          role: 'rider',
        },
      },
      visible('main form'),
    ),
    { who: 'visitor', ordinary: true },
  ),
  screen('seller-join-no-link', withAnswers('/seller/join', {}, visible('main [role=alert]')), {
    who: 'visitor',
  }),
  screen(
    'seller-second-factor-required',
    withAnswers(
      '/seller',
      { [CHECK]: { ...OWNER, secondFactor: false, secondFactorSetupNeeded: true } },
      visible('.first-password form'),
    ),
  ),
  screen('seller-second-factor-qr', async (page) => {
    const responses = {
      [CHECK]: { ...OWNER, secondFactor: false },
      '/api/seller/second_factor/start': QR,
    }
    await withAnswers('/seller/security', responses, startSecondFactor)(page)
  }),
  screen('seller-backup-codes', async (page) => {
    const responses = {
      [CHECK]: { ...OWNER, secondFactor: false },
      '/api/seller/second_factor/start': QR,
      '/api/seller/second_factor/set_up': BACKUP,
    }
    await withAnswers('/seller/security', responses, startSecondFactor)(page)
    await page.locator('input[name=code]').fill('123456')
    await page.locator('[aria-labelledby=security-second-factor] button[type=submit]').click()
    await page.locator('.backup-codes').waitFor()
  }),
  screen('seller-step-up', async (page) => {
    await answer(page, { [CHECK]: { ...OWNER, role: 'manager' }, '/api/seller/staff': STAFF })
    await refuse(page, '/api/seller/staff/resend_invitation', 403, 'second_factor_needed')
    await page.goto('/seller/staff')
    await page.locator('[data-testid=invitation] button').first().click()
    await page.locator('dialog input[name=code]').waitFor()
  }),
  screen('seller-locked', async (page) => {
    await refuse(page, CHECK, 423, 'locked')
    await page.goto('/seller/orders')
    await page.locator('input[name=pin]').waitFor()
  }),
  screen(
    'seller-zones',
    withAnswers(
      '/seller/delivery-zones',
      { '/api/delivery/get_delivery_rules': RULES },
      visible('[data-testid=zone]'),
    ),
  ),
  screen('seller-zone-form', async (page) => {
    const responses = { '/api/delivery/get_delivery_rules': RULES }
    await withAnswers('/seller/delivery-zones', responses, visible('[data-testid=zone]'))(page)
    await page.locator('[data-testid=zone] .button-outline').first().click()
    await page.locator('.zone-wards').first().waitFor()
  }),
  screen('seller-zone-problems', async (page) => {
    const responses = { '/api/delivery/get_delivery_rules': RULES }
    await withAnswers('/seller/delivery-zones', responses, visible('[data-testid=zone]'))(page)
    await page.locator('.seller-page-tools button').click()
    await page.locator('dialog button[type=submit]').click()
    await page.locator('dialog .field-error').first().waitFor()
  }),
  screen(
    'seller-undelivered',
    withAnswers(
      '/seller/attention',
      { '/api/seller/alerts/undelivered': FAILED },
      visible('[data-testid=undelivered]'),
    ),
  ),
  screen('cart-delivery-time', (page) => openCart(page, {}), { who: 'buyer' }),
  screen(
    'cart-delivery-notes',
    async (page) => {
      await openCart(page, { closedToday: { reason: 'Tihar', reasonNe: 'तिहार' } })
      for (const selector of ['.order-notes > details > summary', '.order-notes-lines > summary'])
        await page.locator(selector).click()
    },
    { who: 'buyer' },
  ),
  screen('cart-delivery-outside', (page) => openCart(page, { coverage: 'outside', days: [] }), {
    who: 'buyer',
  }),
  screen('login-phone', openLogin, { who: 'visitor' }),
  screen(
    'login-phone-code',
    async (page) => {
      await answer(page, { '/api/user/phone/send_login_code': { token: 't-1', expiresInSeconds: 300 } })
      await openLogin(page)
      await page.locator('dialog input').first().fill('9841234567')
      await page.locator('dialog button[type=submit]').click()
      await page.locator('dialog input[autocomplete=one-time-code]').waitFor()
    },
    { who: 'visitor' },
  ),
  screen(
    'confirm-phone',
    async (page) => {
      await answer(page, { '/api/user/phone/send_code': { token: 't-1', expiresInSeconds: 300 } })
      await page.goto('/profile')
      await page.locator('dl dd button.link').first().click()
      await page.locator('dialog form').waitFor()
    },
    { who: 'shopper' },
  ),
]
