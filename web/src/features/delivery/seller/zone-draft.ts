import type { Zone, ZoneArea, ZoneInput } from '@/features/delivery/seller/rules-api'
import type { MessageId } from '@/lib/i18n'
import { latinDigits } from '@/lib/latin-digits'
import type { FormErrors } from '@/ui/use-form'

/** A window as it is edited; `key` identifies a new one, too. */
export type WindowDraft = {
  key: string
  id: string | null
  weekdays: number[]
  starts: string
  ends: string
  cutoffHours: string
  capacity: string
}

/** A zone as it is edited; amounts are texts. */
export type ZoneDraft = {
  name: string
  nameNe: string
  fee: string
  freeAbove: string
  minimum: string
  isActive: boolean
  areas: ZoneArea[]
  windows: WindowDraft[]
}

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6]

let lastKey = 0
const newKey = () => {
  lastKey += 1
  return `new-${lastKey}`
}

export const newWindow = (): WindowDraft => ({
  key: newKey(),
  id: null,
  weekdays: EVERY_DAY,
  starts: '07:00',
  ends: '10:00',
  cutoffHours: '12',
  capacity: '20',
})

export const toDraft = (zone: Zone | null): ZoneDraft =>
  zone
    ? {
        name: zone.name,
        nameNe: zone.nameNe,
        fee: String(zone.fee),
        freeAbove: zone.freeAbove === null ? '' : String(zone.freeAbove),
        minimum: String(zone.minimum),
        isActive: zone.isActive,
        areas: zone.areas,
        windows: zone.windows.map(({ _id, weekdays, starts, ends, cutoffMinutes, capacity }) => ({
          key: _id,
          id: _id,
          weekdays,
          starts,
          ends,
          cutoffHours: String(cutoffMinutes / 60),
          capacity: String(capacity),
        })),
      }
    : {
        name: '',
        nameNe: '',
        fee: '',
        freeAbove: '',
        minimum: '0',
        isActive: true,
        areas: [],
        windows: [newWindow()],
      }

const numberOf = (text: string) => Number(latinDigits(text).trim().replaceAll(',', ''))
const isNumber = (text: string) => text.trim() !== '' && numberOf(text) >= 0

/** Finds what the server would refuse anyway; it checks everything again. */
export function checkZone(draft: ZoneDraft): FormErrors<string> {
  const errors: Record<string, MessageId> = {}
  if (!draft.name.trim()) errors.name = 'seller.zones.err.name'
  if (!isNumber(draft.fee)) errors.fee = 'seller.zones.err.amount'
  if (draft.freeAbove.trim() && !isNumber(draft.freeAbove)) errors.freeAbove = 'seller.zones.err.amount'
  if (!isNumber(draft.minimum)) errors.minimum = 'seller.zones.err.amount'
  if (draft.areas.length === 0) errors.areas = 'seller.zones.err.areas'
  else if (draft.areas.some(({ wards }) => wards?.length === 0)) errors.areas = 'seller.zones.err.wards'
  draft.windows.forEach((window, index) => {
    const at = `windows.${index}`
    if (window.weekdays.length === 0) errors[`${at}.weekdays`] = 'seller.zones.err.weekdays'
    if (!window.starts) errors[`${at}.starts`] = 'seller.zones.err.starts'
    if (!window.ends || window.ends <= window.starts) errors[`${at}.ends`] = 'seller.zones.err.ends'
    if (!isNumber(window.cutoffHours)) errors[`${at}.cutoffMinutes`] = 'seller.zones.err.cutoff'
    if (!(numberOf(window.capacity) >= 1)) errors[`${at}.capacity`] = 'seller.zones.err.capacity'
  })
  return errors
}

export const fromDraft = (draft: ZoneDraft, version: string): ZoneInput => ({
  name: draft.name.trim(),
  nameNe: draft.nameNe.trim(),
  fee: numberOf(draft.fee),
  ...(draft.freeAbove.trim() ? { freeAbove: numberOf(draft.freeAbove) } : {}),
  minimum: numberOf(draft.minimum),
  isActive: draft.isActive,
  areas: draft.areas,
  windows: draft.windows.map(({ id, weekdays, starts, ends, cutoffHours, capacity }) => ({
    ...(id ? { _id: id } : {}),
    weekdays,
    starts,
    ends,
    cutoffMinutes: Math.round(numberOf(cutoffHours) * 60),
    capacity: Math.round(numberOf(capacity)),
  })),
  version,
})
