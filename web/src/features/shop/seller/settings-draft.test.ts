import { expect, test } from 'vitest'
import {
  conflictingFields,
  fromDraft,
  isEdited,
  isEqual,
  rebaseDraft,
  toDraft,
  validateSettings,
} from '@/features/shop/seller/settings-draft'
import { shopSettings as shop } from '@/test/fixtures-seller'

const banner = { title: 'Dashain', titleNe: '', text: '', textNe: '', href: '/offers' }

test('only the names are needed', () => {
  expect(validateSettings(shop())).toEqual({})
  expect(validateSettings(shop({ brand: '', brandNe: '' }))).toEqual({
    brand: 'seller.settings.err.required',
    brandNe: 'seller.settings.err.required',
  })
})

test.each([
  ['phone', shop({ phone: 'call us' }), 'seller.settings.err.phone'],
  ['email', shop({ email: 'us@shop' }), 'seller.settings.err.email'],
  ['grievance.phone', shop({ grievance: { name: '', phone: '12', email: '' } }), 'seller.settings.err.phone'],
  [
    'grievance.email',
    shop({ grievance: { name: '', phone: '', email: 'a b@c.np' } }),
    'seller.settings.err.email',
  ],
  [
    'social.0.url',
    shop({ social: [{ name: 'Facebook', url: 'facebook.com/thunse' }] }),
    'seller.settings.err.url',
  ],
  ['social.0.url', shop({ social: [{ name: 'X', url: 'javascript:alert(1)' }] }), 'seller.settings.err.url'],
  ['social.0.url', shop({ social: [{ name: 'X', url: 'http://x.example' }] }), 'seller.settings.err.url'],
  [
    'social.0.name',
    shop({ social: [{ name: '', url: 'https://facebook.com' }] }),
    'seller.settings.err.required',
  ],
  ['banners.0.href', shop({ banners: [{ ...banner, href: 'offers' }] }), 'seller.settings.err.link'],
  [
    'banners.0.href',
    shop({ banners: [{ ...banner, href: '//elsewhere.example' }] }),
    'seller.settings.err.link',
  ],
  ['banners.0.title', shop({ banners: [{ ...banner, title: '' }] }), 'seller.settings.err.required'],
  ['shippingFee', shop({ shippingFee: 10_000.01 }), 'seller.settings.err.number'],
  ['shippingFee', shop({ shippingFee: Number.NaN }), 'seller.settings.err.number'],
  ['shippingFee', shop({ shippingFee: 20.005 }), 'seller.settings.err.number'],
  ['taxRate', shop({ taxRate: 30.5 }), 'seller.settings.err.number'],
  ['cartLines', shop({ cartLines: 101 }), 'seller.settings.err.wholeNumber'],
  ['deliveryDays', shop({ deliveryDays: 1.5 }), 'seller.settings.err.wholeNumber'],
])('%s is looked at', (field, settings, text) => {
  expect(validateSettings(settings)).toEqual({ [field]: text })
})

test.each(['+977 1-4567890', '9841234567', '01-4567890', '०१-४५६७८९०'])('%s is a phone number', (phone) => {
  expect(validateSettings(shop({ phone }))).toEqual({})
})

test.each(['/offers', 'https://example.com/x'])('a banner may lead to %s', (href) => {
  expect(validateSettings(shop({ banners: [{ ...banner, href }] }))).toEqual({})
})

test('a draft goes back as it came, without spaces at the ends', () => {
  const settings = shop({ brand: ' Thunse ', banners: [{ ...banner, title: 'Dashain ' }] })
  expect(fromDraft(toDraft({ ...settings, version: 'v1' }))).toEqual(
    shop({ brand: 'Thunse', banners: [banner] }),
  )
})

test('the order in which names are written makes no difference', () => {
  const { brand, ...others } = shop({ grievance: { email: '', name: '', phone: '' } })
  expect(isEqual(shop(), { ...others, brand })).toBe(true)
  expect(isEqual(shop(), shop({ banners: [banner] }))).toBe(false)
})

test('a phone is sent in the digits that it is dialled with', () => {
  const typed = shop({ phone: '०१-४५६७८९०', grievance: { name: '', phone: '९८४१२३४५६७', email: '' } })
  expect(fromDraft(toDraft({ ...typed, version: 'v1' }))).toEqual(
    shop({ phone: '01-4567890', grievance: { name: '', phone: '9841234567', email: '' } }),
  )
})

test('a figure may be typed with Nepali digits and commas', () => {
  const draft = {
    ...toDraft({ ...shop(), version: 'v1' }),
    shippingFee: ' ५० ',
    freeShippingAbove: '1,500.50',
  }
  expect(fromDraft(draft)).toEqual(shop({ shippingFee: 50, freeShippingAbove: 1500.5 }))
  expect(validateSettings(fromDraft({ ...draft, taxRate: '' }))).toEqual({
    taxRate: 'seller.settings.err.number',
  })
})

test('contested is only what both have changed, and not to the same', () => {
  const mine = shop({ brand: 'Mine', phone: '014567890', email: 'a@b.np' })
  const theirs = shop({ brand: 'Theirs', banners: [banner], email: 'a@b.np' })
  expect(conflictingFields(shop(), mine, theirs)).toEqual(['seller.settings.brand'])
})

test.each(['mine', 'theirs'] as const)('what one alone has changed stays; of the rest, %s', (whose) => {
  const draft = toDraft({ ...shop({ brand: 'mine', phone: '014567890' }), version: 'v1' })
  const theirs = { ...shop({ brand: 'theirs', banners: [banner] }), version: 'v2' }
  expect(fromDraft(rebaseDraft(draft, shop(), theirs, whose))).toEqual(
    shop({ brand: whose, phone: '014567890', banners: [banner] }),
  )
})

test('what says the same is left as it was typed, rows with their names', () => {
  const draft = toDraft({ ...shop({ brand: 'Thunse ', banners: [banner] }), version: 'v1' })
  const next = rebaseDraft(draft, shop(), { ...shop({ banners: [banner] }), version: 'v2' })
  expect(next.brand).toBe('Thunse ')
  expect(next.banners).toBe(draft.banners)
})

test('a field has been edited when it says something else, or is another one', () => {
  const links = ['https://a.np', 'https://b.np'].map((url) => ({ name: 'A', url }))
  const draft = toDraft({ ...shop({ social: links }), version: 'v1' })
  const without = { ...draft, social: draft.social.slice(1) }
  expect(isEdited('brand', draft, without)).toBe(false)
  expect(isEdited('social.0.name', draft, without)).toBe(true)
  expect(isEdited('social.0.name', draft, { ...draft, social: draft.social.slice(0, 1) })).toBe(false)
  expect(
    isEdited('grievance.phone', draft, { ...draft, grievance: { ...draft.grievance, phone: '1' } }),
  ).toBe(true)
})
