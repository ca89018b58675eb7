import type { Banner, KeptSettings, ShopSettings, SocialLink } from '@/features/shop/seller-settings-api'
import type { MessageId } from '@/lib/i18n'

/** A row of a list needs a name that outlives its place. */
export type Row<T> = T & { key: number }

export type Draft = Omit<ShopSettings, 'social' | 'banners'> & {
  social: Row<SocialLink>[]
  banners: Row<Banner>[]
}

export const MOST_SOCIAL = 8
export const MOST_BANNERS = 6

let nextKey = 1
const keyed = <T extends object>(each: T): Row<T> => ({ ...each, key: nextKey++ })

export const emptySocial = () => keyed<SocialLink>({ name: '', url: '' })
export const emptyBanner = () => keyed<Banner>({ title: '', titleNe: '', text: '', textNe: '', href: '' })

export function toDraft({ version: _, ...settings }: KeptSettings): Draft {
  return { ...settings, social: settings.social.map(keyed), banners: settings.banners.map(keyed) }
}

/** As it is sent: without spaces at the ends, and without the names of the rows. */
export function fromDraft(draft: Draft): ShopSettings {
  return trimmed({
    ...draft,
    social: draft.social.map(({ key: _, ...link }) => link),
    banners: draft.banners.map(({ key: _, ...banner }) => banner),
  })
}

function trimmed<T>(value: T): T {
  if (typeof value === 'string') return value.trim() as T
  if (Array.isArray(value)) return value.map(trimmed) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, trimmed(each)])) as T
}

export const same = (one: ShopSettings, other: ShopSettings) => flat(one) === flat(other)

/** Whatever order a server writes names in. */
const flat = (value: unknown): string =>
  JSON.stringify(value, (_, each) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const FEWEST_DIGITS = 7
const MOST_DIGITS = 15

function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, '').length
  return /^[-+() \d]+$/.test(text) && digits >= FEWEST_DIGITS && digits <= MOST_DIGITS
}

function isWebAddress(text: string): boolean {
  try {
    return new URL(text).protocol === 'https:'
  } catch {
    return false
  }
}

/** A page of the shop, or one elsewhere. */
const isWay = (text: string) => /^\/(?!\/)/.test(text) || isWebAddress(text)

/** What is wrong, by the field's name as the server writes it. */
export type Problems = Record<string, MessageId>

export function problemsOf(shop: ShopSettings): Problems {
  const found: Problems = {}
  const check = (field: string, value: string, right: (text: string) => boolean, text: MessageId) => {
    if (value && !right(value)) found[field] = text
  }
  const need = (field: string, value: string) => {
    if (!value) found[field] = 'sset.err.required'
  }
  need('brand', shop.brand)
  need('brandNe', shop.brandNe)
  check('phone', shop.phone, isPhone, 'sset.err.phone')
  check('email', shop.email, (text) => EMAIL.test(text), 'sset.err.email')
  check('grievance.phone', shop.grievance.phone, isPhone, 'sset.err.phone')
  check('grievance.email', shop.grievance.email, (text) => EMAIL.test(text), 'sset.err.email')
  for (const [n, { name, url }] of shop.social.entries()) {
    need(`social.${n}.name`, name)
    need(`social.${n}.url`, url)
    check(`social.${n}.url`, url, isWebAddress, 'sset.err.url')
  }
  for (const [n, { title, href }] of shop.banners.entries()) {
    need(`banners.${n}.title`, title)
    need(`banners.${n}.href`, href)
    check(`banners.${n}.href`, href, isWay, 'sset.err.way')
  }
  return found
}

const NAMES = {
  brand: 'sset.brand',
  brandNe: 'sset.brandNe',
  tagline: 'sset.tagline',
  taglineNe: 'sset.taglineNe',
  phone: 'sset.phone',
  email: 'sset.email',
  address: 'sset.address',
  addressNe: 'sset.addressNe',
  registrationNumber: 'sset.registrationNumber',
  panNumber: 'sset.panNumber',
  grievance: 'sset.grievance',
  deliveryPromise: 'sset.deliveryPromise',
  deliveryPromiseNe: 'sset.deliveryPromiseNe',
  social: 'sset.social',
  banners: 'sset.banners',
} satisfies Record<keyof ShopSettings, MessageId>

/** What the two say differently, by name. */
export function differences(mine: ShopSettings, theirs: ShopSettings): MessageId[] {
  return (Object.keys(NAMES) as (keyof ShopSettings)[])
    .filter((name) => flat(mine[name]) !== flat(theirs[name]))
    .map((name) => NAMES[name])
}
