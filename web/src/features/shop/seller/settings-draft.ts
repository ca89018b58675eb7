import { SETTING_NAMES } from '@/features/shop/seller/setting-names'
import type { Banner, ShopSettings, SocialLink, VersionedSettings } from '@/features/shop/seller/settings-api'
import type { MessageId } from '@/lib/i18n'
import { latinDigits } from '@/lib/latin-digits'

/** A row needs a key that does not depend on its position. */
export type Row<T> = T & { key: number }

/** The numeric fields with their minimum, maximum and step; the server has the same ranges. */
export const NUMBER_FIELDS = {
  shippingFee: [0, 10_000, 0.01],
  freeShippingAbove: [0, 1_000_000, 0.01],
  taxRate: [0, 30, 0.01],
  weightTolerance: [0, 30, 0.01],
  lowStock: [0, 100, 1],
  deliveryDays: [0, 60, 1],
  cartLines: [1, 100, 1],
  largestOrder: [1, 100_000_000, 0.01],
  ordersPerMinute: [1, 1_000_000, 1],
  ordersPerDay: [1, 1_000_000, 1],
  openCashOrders: [1, 1_000_000, 1],
  openCashWorth: [1, 100_000_000, 0.01],
  unpaidOrders: [1, 1_000_000, 1],
  heldPerProduct: [1, 99, 1],
} as const satisfies Partial<Record<keyof ShopSettings, [least: number, most: number, step: number]>>

export type NumberFieldName = keyof typeof NUMBER_FIELDS
const NUMBER_FIELD_NAMES = Object.keys(NUMBER_FIELDS) as NumberFieldName[]

/** Numbers are stored as typed until they are sent. */
export type Draft = Omit<ShopSettings, 'social' | 'banners' | NumberFieldName> &
  Record<NumberFieldName, string> & {
    social: Row<SocialLink>[]
    banners: Row<Banner>[]
  }

export const MAX_SOCIAL = 8
export const MAX_BANNERS = 6

let nextKey = 1
const keyed = <T extends object>(each: T): Row<T> => ({ ...each, key: nextKey++ })

export const emptySocial = () => keyed<SocialLink>({ name: '', url: '' })
export const emptyBanner = () => keyed<Banner>({ title: '', titleNe: '', text: '', textNe: '', href: '' })

export function toDraft({ version: _, ...settings }: VersionedSettings): Draft {
  return {
    ...settings,
    ...mapNumberFields((name) => String(settings[name])),
    social: settings.social.map(keyed),
    banners: settings.banners.map(keyed),
  }
}

const mapNumberFields = <T>(make: (name: NumberFieldName) => T) =>
  Object.fromEntries(NUMBER_FIELD_NAMES.map((name) => [name, make(name)])) as Record<NumberFieldName, T>

/** Parses a typed number; NaN if it is not one. */
function parseNumber(text: string): number {
  const plain = latinDigits(text).replace(/[\s,]/g, '')
  return plain === '' ? Number.NaN : Number(plain)
}

/** The settings to send, without the keys of the rows. */
export function fromDraft(draft: Draft): ShopSettings {
  return normalizeSettings({
    ...draft,
    ...mapNumberFields((name) => parseNumber(draft[name])),
    social: draft.social.map(({ key: _, ...link }) => link),
    banners: draft.banners.map(({ key: _, ...banner }) => banner),
  })
}

/** Trims the texts and converts digits to Latin ones. */
export function normalizeSettings(settings: ShopSettings): ShopSettings {
  const { phone, grievance, ...others } = trimmed(settings)
  return {
    ...others,
    phone: latinDigits(phone),
    grievance: { ...grievance, phone: latinDigits(grievance.phone) },
  }
}

function trimmed<T>(value: T): T {
  if (typeof value === 'string') return value.trim() as T
  if (Array.isArray(value)) return value.map(trimmed) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, trimmed(each)])) as T
}

export const isEqual = (one: unknown, other: unknown) => flat(one) === flat(other)

/** Serialises a value independently of the order of its keys. */
const flat = (value: unknown): string =>
  JSON.stringify(value, (_, each) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const MIN_DIGITS = 7
const MAX_DIGITS = 15

function isPhone(text: string): boolean {
  const plain = latinDigits(text)
  const digits = plain.replace(/\D/g, '').length
  return /^[-+() \d]+$/.test(plain) && digits >= MIN_DIGITS && digits <= MAX_DIGITS
}

function isWebAddress(text: string): boolean {
  try {
    return new URL(text).protocol === 'https:'
  } catch {
    return false
  }
}

/** A page of the shop or an external one. */
const isLink = (text: string) => /^\/(?!\/)/.test(text) || isWebAddress(text)

/** The problems by the server's field names. */
export type Problems = Record<string, MessageId>

export function validateSettings(shop: ShopSettings): Problems {
  const found: Problems = {}
  const check = (field: string, value: string, right: (text: string) => boolean, text: MessageId) => {
    if (value && !right(value)) found[field] = text
  }
  const need = (field: string, value: string) => {
    if (!value) found[field] = 'seller.settings.err.required'
  }
  need('brand', shop.brand)
  need('brandNe', shop.brandNe)
  check('phone', shop.phone, isPhone, 'seller.settings.err.phone')
  check('email', shop.email, (text) => EMAIL.test(text), 'seller.settings.err.email')
  check('grievance.phone', shop.grievance.phone, isPhone, 'seller.settings.err.phone')
  check('grievance.email', shop.grievance.email, (text) => EMAIL.test(text), 'seller.settings.err.email')
  for (const name of NUMBER_FIELD_NAMES) {
    const [least, most, step] = NUMBER_FIELDS[name]
    const value = shop[name]
    const steps = value / step
    const right = value >= least && value <= most && Math.abs(steps - Math.round(steps)) < 1e-4
    if (!right) found[name] = step === 1 ? 'seller.settings.err.wholeNumber' : 'seller.settings.err.number'
  }
  for (const [n, { name, url }] of shop.social.entries()) {
    need(`social.${n}.name`, name)
    need(`social.${n}.url`, url)
    check(`social.${n}.url`, url, isWebAddress, 'seller.settings.err.url')
  }
  for (const [n, { title, href }] of shop.banners.entries()) {
    need(`banners.${n}.title`, title)
    need(`banners.${n}.href`, href)
    check(`banners.${n}.href`, href, isLink, 'seller.settings.err.link')
  }
  return found
}

const ALL = Object.keys(SETTING_NAMES) as (keyof ShopSettings)[]

/** The names of the fields that both sellers changed differently since `base`. Only these need a decision. */
export function conflictingFields(base: ShopSettings, mine: ShopSettings, theirs: ShopSettings): MessageId[] {
  const [was, is] = [normalizeSettings(base), normalizeSettings(theirs)]
  return ALL.filter(
    (name) =>
      ![was[name], is[name]].some((each) => isEqual(mine[name], each)) && !isEqual(was[name], is[name]),
  ).map((name) => SETTING_NAMES[name])
}

/**
 * Rebases what was typed over `base` onto the current settings `now`; `whose` decides where both changed the same
 * field. A field that equals the current setting is not replaced, so that its rows keep their keys and the focus.
 */
export function rebaseDraft(
  draft: Draft,
  base: ShopSettings,
  now: VersionedSettings,
  whose: 'mine' | 'theirs' = 'mine',
): Draft {
  const [mine, was, is, fresh] = [
    fromDraft(draft),
    normalizeSettings(base),
    normalizeSettings(now),
    toDraft(now),
  ]
  const taken = ALL.filter((name) => {
    if (isEqual(mine[name], is[name])) return false
    return isEqual(mine[name], was[name]) || (whose === 'theirs' && !isEqual(was[name], is[name]))
  })
  return { ...draft, ...Object.fromEntries(taken.map((name) => [name, fresh[name]])) }
}

/** Whether the field has been edited or its row replaced, so that its error no longer applies. */
export function isEdited(name: string, before: Draft, after: Draft): boolean {
  const at = (draft: Draft, path: string) =>
    path
      .split('.')
      .reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], draft)
  const row = name.replace(/[^.]+$/, 'key')
  return at(before, name) !== at(after, name) || at(before, row) !== at(after, row)
}
