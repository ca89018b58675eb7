import { useQuery } from '@tanstack/react-query'
import { type Seller, sessions } from '@/features/accounts/session'
import { paths } from '@/lib/paths'

/** The permission that each page of the dashboard needs; the other pages are for everybody. */
const PAGE_PERMISSIONS: Record<string, string> = {
  [paths.seller]: 'products.read',
  [paths.sellerAddProduct]: 'products.edit',
  [paths.sellerImport]: 'products.import',
  [paths.sellerOrders]: 'orders.read',
  [paths.sellerPacking]: 'orders.change',
  [paths.sellerDelivery]: 'orders.read',
  [paths.sellerDeliveries]: 'deliveries.own',
  [paths.sellerCategories]: 'categories.edit',
  [paths.sellerCoupons]: 'products.read',
  [paths.sellerSeasons]: 'products.read',
  [paths.sellerOverview]: 'reports.money',
  [paths.sellerAttention]: 'cases.handle',
  [paths.sellerComplaint]: 'cases.handle',
  [paths.sellerMoney]: 'reports.money',
  [paths.sellerBills]: 'reports.money',
  [paths.sellerMargin]: 'reports.money',
  [paths.sellerStock]: 'inventory.record',
  [paths.sellerCash]: 'cash.manage',
  [paths.sellerSettings]: 'settings.read',
  [paths.sellerDeliveryZones]: 'settings.read',
  [paths.sellerAlerts]: 'orders.read',
  [paths.sellerPolicies]: 'settings.read',
  [paths.sellerNewsletter]: 'newsletter.read',
  [paths.sellerAudit]: 'audit.read',
  [paths.sellerStaff]: 'staff.read',
}

const COMPLAINTS = '/seller/complaints/'

/** An owner may do everything except what only riders do; until the session is known, the page looks like an owner's. */
const ONLY_RIDERS = 'deliveries.own'

/** Whether the role allows it. The server decides; this only hides what would be refused. */
export const may = (seller: Seller | null | undefined, permission: string) =>
  seller?.permissions?.includes(permission) ?? permission !== ONLY_RIDERS

export const mayOpen = (seller: Seller | null | undefined, path: string) => {
  const permission = PAGE_PERMISSIONS[path.startsWith(COMPLAINTS) ? paths.sellerComplaint : path]
  return permission === undefined || may(seller, permission)
}

export function useMay() {
  const { data: seller } = useQuery({ ...sessions.seller, enabled: false })
  return (permission: string) => may(seller, permission)
}
