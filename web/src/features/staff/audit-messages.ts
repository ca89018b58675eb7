import { SETTING_NAMES } from '@/features/shop/seller/setting-names'
import type { AuditEntry } from '@/features/staff/audit-api'
import type { MessageId } from '@/lib/i18n'

const ACTIONS = {
  product_add: 'seller.audit.action.productAdd',
  product_update: 'seller.audit.action.productUpdate',
  product_delete: 'seller.audit.action.productDelete',
  product_stock: 'seller.audit.action.productStock',
  product_sale_add: 'seller.audit.action.productSaleAdd',
  product_sale_end: 'seller.audit.action.productSaleEnd',
  product_import: 'seller.audit.action.productImport',
  products_export: 'seller.audit.action.productsExport',
  coupon_add: 'seller.audit.action.couponAdd',
  coupon_update: 'seller.audit.action.couponUpdate',
  category_add: 'seller.audit.action.categoryAdd',
  category_update: 'seller.audit.action.categoryUpdate',
  category_delete: 'seller.audit.action.categoryDelete',
  order_status: 'seller.audit.action.orderStatus',
  order_delivery_date: 'seller.audit.action.orderDate',
  order_pack: 'seller.audit.action.orderPack',
  payment_check: 'seller.audit.action.paymentCheck',
  payment_refund: 'seller.audit.action.paymentRefund',
  case_close: 'seller.audit.action.caseClose',
  bill_credit: 'seller.audit.action.billCredit',
  shop_settings: 'seller.audit.action.shopSettings',
  newsletter_export: 'seller.audit.action.newsletterExport',
  order_rider: 'seller.audit.action.orderRider',
  cash_record: 'seller.audit.action.cashRecord',
  cash_settle: 'seller.audit.action.cashSettle',
  staff_invite: 'seller.audit.action.staffInvite',
  staff_resend_invitation: 'seller.audit.action.staffResend',
  staff_revoke_invitation: 'seller.audit.action.staffRevoke',
  staff_join: 'seller.audit.action.staffJoin',
  staff_role: 'seller.audit.action.staffRole',
  staff_disable: 'seller.audit.action.staffDisable',
  staff_enable: 'seller.audit.action.staffEnable',
  staff_reset_second_factor: 'seller.audit.action.staffResetSecondFactor',
  account_password: 'seller.audit.action.accountPassword',
  account_second_factor: 'seller.audit.action.accountSecondFactor',
  account_remember_device: 'seller.audit.action.accountRememberDevice',
  account_forget_device: 'seller.audit.action.accountForgetDevice',
  delivery_zone_add: 'seller.audit.action.zoneAdd',
  delivery_zone_update: 'seller.audit.action.zoneUpdate',
  delivery_zone_delete: 'seller.audit.action.zoneDelete',
  delivery_closed_add: 'seller.audit.action.closedAdd',
  delivery_closed_delete: 'seller.audit.action.closedDelete',
  newsletter_send: 'seller.audit.action.newsletterSend',
  newsletter_pause: 'seller.audit.action.newsletterPause',
  newsletter_resume: 'seller.audit.action.newsletterResume',
  newsletter_cancel: 'seller.audit.action.newsletterCancel',
  newsletter_delete: 'seller.audit.action.newsletterDelete',
  inventory_supplier: 'seller.audit.action.supplier',
  inventory_receive: 'seller.audit.action.receive',
  inventory_cost: 'seller.audit.action.cost',
  inventory_waste: 'seller.audit.action.waste',
  inventory_count_start: 'seller.audit.action.countStart',
  inventory_count_difference: 'seller.audit.action.countDifference',
  inventory_count_apply: 'seller.audit.action.countApply',
  inventory_count_discard: 'seller.audit.action.countDiscard',
  policy_save: 'seller.audit.action.policySave',
  policy_reset: 'seller.audit.action.policyReset',
  complaint_answer: 'seller.audit.action.complaintAnswer',
  complaint_decide: 'seller.audit.action.complaintDecide',
  season_add: 'seller.audit.action.seasonAdd',
  season_update: 'seller.audit.action.seasonUpdate',
  season_delete: 'seller.audit.action.seasonDelete',
} satisfies Record<string, MessageId>

/** The message for an action; an action that is newer than this page has none yet. */
export const actionMessage = (action: string): MessageId | null =>
  ACTIONS[action.replace('.', '_') as keyof typeof ACTIONS] ?? null

const IMPORTS = {
  checking: 'seller.audit.import.checking',
  checked: 'seller.audit.import.checked',
  refused: 'seller.audit.import.refused',
  applying: 'seller.audit.import.applying',
  applied: 'seller.audit.import.applied',
  failed: 'seller.audit.import.failed',
  cancelled: 'seller.audit.import.cancelled',
} satisfies Record<string, MessageId>

/** The message for the state of an import. */
export const importMessage = (state: string): MessageId | null =>
  IMPORTS[state as keyof typeof IMPORTS] ?? null

const COLUMNS = {
  name: 'seller.audit.col.name',
  name_ne: 'seller.audit.col.nameNe',
  description: 'seller.audit.col.description',
  description_ne: 'seller.audit.col.descriptionNe',
  category: 'seller.audit.col.category',
  price: 'seller.audit.col.price',
  stock: 'seller.audit.col.stock',
  rating: 'seller.audit.col.rating',
  reviews: 'seller.audit.col.reviews',
  tags: 'seller.audit.col.tags',
  tags_ne: 'seller.audit.col.tagsNe',
  aliases: 'seller.audit.col.aliases',
  tax_class: 'seller.audit.col.taxClass',
  unit: 'seller.audit.col.unit',
  unit_amount: 'seller.audit.col.unit',
  unit_measure: 'seller.audit.col.unit',
  unit_label: 'seller.audit.col.unit',
  unit_label_ne: 'seller.audit.col.unitNe',
  // The fields of a delivery zone.
  zoneName: 'seller.audit.col.name',
  zoneNameNe: 'seller.audit.col.nameNe',
  zoneActive: 'seller.audit.col.zoneActive',
  zoneAreas: 'seller.audit.col.zoneAreas',
  zoneWindows: 'seller.audit.col.zoneWindows',
  deliveryFee: 'seller.audit.col.deliveryFee',
  deliveryFreeAbove: 'seller.audit.col.deliveryFreeAbove',
  deliveryMinimum: 'seller.audit.col.deliveryMinimum',
  // The terms of a coupon.
  couponDiscount: 'seller.audit.col.couponDiscount',
  couponMinimum: 'seller.audit.col.couponMinimum',
  couponDates: 'seller.audit.col.couponDates',
  couponUses: 'seller.audit.col.couponUses',
  couponActive: 'seller.audit.col.couponActive',
  couponPublic: 'seller.audit.col.couponPublic',
  // The fields of a season.
  seasonDates: 'seller.audit.col.seasonDates',
  seasonTitle: 'seller.audit.col.seasonTitle',
  seasonTitleNe: 'seller.audit.col.seasonTitleNe',
  seasonText: 'seller.audit.col.seasonText',
  seasonTextNe: 'seller.audit.col.seasonTextNe',
  // The fields of the shop's settings.
  ...SETTING_NAMES,
  deliveryPromise: 'seller.settings.group.delivery',
  deliveryPromiseNe: 'seller.audit.col.promiseNe',
  picture: 'seller.audit.col.picture',
  pictures: 'seller.audit.col.pictures',
  image: 'seller.audit.col.picture',
  more_images: 'seller.audit.col.pictures',
  icon: 'seller.audit.col.icon',
} satisfies Record<string, MessageId>

export const columnMessage = (column: string): MessageId | null =>
  COLUMNS[column as keyof typeof COLUMNS] ?? null

/** `column` is empty where the whole thing changed, such as a status. */
export type Change = { column: string; before: string; after: string }

/** Parses `price: 120; stock: 4`, the format in which the log stores several columns in one text. */
function columnsOf(text: string): [column: string, value: string][] | null {
  const parts = text.split(/; (?=[A-Za-z_]+: ?)/)
  const found = parts.map((part) => part.match(/^([A-Za-z_]+): ?([\s\S]*)$/))
  return found.every((match) => match !== null)
    ? found.map((match) => [match?.[1] ?? '', match?.[2] ?? ''])
    : null
}

/** Returns the changes column by column if both sides have the same columns; otherwise the two texts as they are. */
export function changesOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): Change[] {
  if (!before && !after) return []
  const [was, is] = [columnsOf(before), columnsOf(after)]
  const [whole] = [{ column: '', before, after }]
  // An entry about a new or deleted object has columns on one side only.
  if (is && !before) return is.map(([column, value]) => ({ column, before: '', after: value }))
  if (was && !after) return was.map(([column, value]) => ({ column, before: value, after: '' }))
  if (!was || !is || was.length !== is.length) return [whole]
  const pairs = was.map(([column, value], n) => ({ column, before: value, after: is[n]?.[1] ?? '' }))
  return pairs.every(({ column }, n) => column === is[n]?.[0]) ? pairs : [whole]
}

/** Turns a JSON list or object into readable text. */
export function plainValue(text: string): string {
  if (!/^[[{]/.test(text)) return text
  try {
    return listTexts(JSON.parse(text)).join(', ')
  } catch {
    return text
  }
}

/** The title or name stands for each object of a list. */
function listTexts(value: unknown): string[] {
  if (Array.isArray(value))
    return value.flatMap(
      (each: { title?: string; name?: string }) => each?.title ?? each?.name ?? listTexts(each),
    )
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(listTexts)
  return value === '' || value === null ? [] : [String(value)]
}
