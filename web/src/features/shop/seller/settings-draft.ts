import { SETTING_NAMES } from '@/features/shop/seller/setting-names'
import type { Banner, ShopSettings, SocialLink, VersionedSettings } from '@/features/shop/seller/settings-api'
import type { MessageId } from '@/lib/i18n'
import { latinDigits } from '@/lib/latin-digits'

/** A row of a list needs a name that outlives its place. */
export type Row<T> = T & { key: number }

/** Figures with the least and the most that they may be, and in what steps; the server holds the same ranges. */
export const NUMBER_FIELDS = {
  shippingFee: [0, 10_000, 0.01],
  freeShippingAbove: [0, 1_000_000, 0.01],
  taxRate: [0, 30, 0.01],
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

/** A figure is what was typed until it is sent. */
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

/** What somebody typed as a number; not a number when it is none. */
function parseNumber(text: string): number {
  const plain = latinDigits(text).replace(/[\s,]/g, '')
  return plain === '' ? Number.NaN : Number(plain)
}

/** As it is sent: without the names of the rows. */
export function fromDraft(draft: Draft): ShopSettings {
  return normalizeSettings({
    ...draft,
    ...mapNumberFields((name) => parseNumber(draft[name])),
    social: draft.social.map(({ key: _, ...link }) => link),
    banners: draft.banners.map(({ key: _, ...banner }) => banner),
  })
}

/** Without spaces at the ends, and with the digits that phones dial. */
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

/** Whatever order a server writes names in. */
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

/** A page of the shop, or one elsewhere. */
const isLink = (text: string) => /^\/(?!\/)/.test(text) || isWebAddress(text)

/** What is wrong, by the field's name as the server writes it. */
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

/** What both have changed since `base`, and not to the same, by name. Only that asks for a choice. */
export function conflictingFields(base: ShopSettings, mine: ShopSettings, theirs: ShopSettings): MessageId[] {
  const [was, is] = [normalizeSettings(base), normalizeSettings(theirs)]
  return ALL.filter(
    (name) =>
      ![was[name], is[name]].some((each) => isEqual(mine[name], each)) && !isEqual(was[name], is[name]),
  ).map((name) => SETTING_NAMES[name])
}

/**
 * What was typed over `base`, on top of what is kept `now`; `whose` holds where both changed the same. A field that says what is
 * kept is left as it is, so that its rows keep their names and the keyboard its place.
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

/** Whether the field of this name is another one now, or says something else: what was wrong with it is then no more known. */
export function isEdited(name: string, before: Draft, after: Draft): boolean {
  const at = (draft: Draft, path: string) =>
    path
      .split('.')
      .reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], draft)
  const row = name.replace(/[^.]+$/, 'key')
  return at(before, name) !== at(after, name) || at(before, row) !== at(after, row)
}
