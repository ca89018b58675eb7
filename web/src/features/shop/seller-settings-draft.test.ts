import { expect, test } from 'vitest'
import type { ShopSettings } from '@/features/shop/seller-settings-api'
import { differences, fromDraft, problemsOf, same, toDraft } from '@/features/shop/seller-settings-draft'

const banner = { title: 'Dashain', titleNe: '', text: '', textNe: '', href: '/offers' }
const shop = (changes: Partial<ShopSettings> = {}): ShopSettings => ({
  brand: 'Thunse',
  brandNe: 'थुन्से',
  tagline: '',
  taglineNe: '',
  phone: '',
  email: '',
  address: '',
  addressNe: '',
  registrationNumber: '',
  panNumber: '',
  grievance: { name: '', phone: '', email: '' },
  deliveryPromise: '',
  deliveryPromiseNe: '',
  social: [],
  banners: [],
  ...changes,
})

test('only the names are needed', () => {
  expect(problemsOf(shop())).toEqual({})
  expect(problemsOf(shop({ brand: '', brandNe: '' }))).toEqual({
    brand: 'sset.err.required',
    brandNe: 'sset.err.required',
  })
})

test.each([
  ['phone', shop({ phone: 'call us' }), 'sset.err.phone'],
  ['email', shop({ email: 'us@shop' }), 'sset.err.email'],
  ['grievance.phone', shop({ grievance: { name: '', phone: '12', email: '' } }), 'sset.err.phone'],
  ['grievance.email', shop({ grievance: { name: '', phone: '', email: 'a b@c.np' } }), 'sset.err.email'],
  ['social.0.url', shop({ social: [{ name: 'Facebook', url: 'facebook.com/thunse' }] }), 'sset.err.url'],
  ['social.0.url', shop({ social: [{ name: 'X', url: 'javascript:alert(1)' }] }), 'sset.err.url'],
  ['social.0.url', shop({ social: [{ name: 'X', url: 'http://x.example' }] }), 'sset.err.url'],
  ['social.0.name', shop({ social: [{ name: '', url: 'https://facebook.com' }] }), 'sset.err.required'],
  ['banners.0.href', shop({ banners: [{ ...banner, href: 'offers' }] }), 'sset.err.way'],
  ['banners.0.href', shop({ banners: [{ ...banner, href: '//elsewhere.example' }] }), 'sset.err.way'],
  ['banners.0.title', shop({ banners: [{ ...banner, title: '' }] }), 'sset.err.required'],
])('%s is looked at', (field, settings, text) => {
  expect(problemsOf(settings)).toEqual({ [field]: text })
})

test.each(['+977 1-4567890', '9841234567', '01-4567890'])('%s is a phone number', (phone) => {
  expect(problemsOf(shop({ phone }))).toEqual({})
})

test.each(['/offers', 'https://example.com/x'])('a banner may lead to %s', (href) => {
  expect(problemsOf(shop({ banners: [{ ...banner, href }] }))).toEqual({})
})

test('a draft goes back as it came, without spaces at the ends', () => {
  const settings = shop({ brand: ' Thunse ', banners: [{ ...banner, title: 'Dashain ' }] })
  expect(fromDraft(toDraft({ ...settings, version: 'v1' }))).toEqual(
    shop({ brand: 'Thunse', banners: [banner] }),
  )
})

test('the order in which names are written makes no difference', () => {
  const { brand, ...others } = shop({ grievance: { email: '', name: '', phone: '' } })
  expect(same(shop(), { ...others, brand })).toBe(true)
  expect(same(shop(), shop({ banners: [banner] }))).toBe(false)
})

test('what two versions say differently has names', () => {
  expect(differences(shop(), shop({ brand: 'X', banners: [banner] }))).toEqual(['sset.brand', 'sset.banners'])
})
