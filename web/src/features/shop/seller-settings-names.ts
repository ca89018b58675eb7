import type { ShopSettings } from '@/features/shop/seller-settings-api'
import type { MessageId } from '@/lib/i18n'

/** What each setting is called, where it is typed and where a change of it is told. */
export const SETTING_NAMES = {
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
