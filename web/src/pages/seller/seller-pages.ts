import '@/lib/seller-messages'
import { type LazyModule, loadWithMessages } from '@/lib/i18n'

const page =
  <T>(module: LazyModule, load: () => Promise<T>) =>
  () =>
    loadWithMessages(module, load)

/** Every page of the seller dashboard. */
export const sellerPages = {
  frame: page(
    'pages/seller/seller-layout',
    async () => (await import('@/pages/seller/seller-layout')).SellerLayout,
  ),
  list: page(
    'pages/seller/product-list-page',
    async () => (await import('@/pages/seller/product-list-page')).ProductListPage,
  ),
  addProduct: page(
    'pages/seller/add-product-page',
    async () => (await import('@/pages/seller/add-product-page')).AddProductPage,
  ),
  import: page(
    'pages/seller/import-page',
    async () => (await import('@/pages/seller/import-page')).ImportPage,
  ),
  categories: page(
    'pages/seller/categories-page',
    async () => (await import('@/pages/seller/categories-page')).SellerCategoriesPage,
  ),
  coupons: page(
    'pages/seller/coupons-page',
    async () => (await import('@/pages/seller/coupons-page')).SellerCouponsPage,
  ),
  seasons: page(
    'pages/seller/seasons-page',
    async () => (await import('@/pages/seller/seasons-page')).SellerSeasonsPage,
  ),
  orders: page(
    'pages/seller/orders-page',
    async () => (await import('@/pages/seller/orders-page')).SellerOrdersPage,
  ),
  packing: page(
    'pages/seller/packing-page',
    async () => (await import('@/pages/seller/packing-page')).SellerPackingPage,
  ),
  delivery: page(
    'pages/seller/delivery-page',
    async () => (await import('@/pages/seller/delivery-page')).SellerDeliveryPage,
  ),
  deliveryZones: page(
    'pages/seller/delivery-zones-page',
    async () => (await import('@/pages/seller/delivery-zones-page')).SellerDeliveryZonesPage,
  ),
  overview: page(
    'pages/seller/overview-page',
    async () => (await import('@/pages/seller/overview-page')).SellerOverviewPage,
  ),
  attention: page(
    'pages/seller/payment-pages',
    async () => (await import('@/pages/seller/payment-pages')).SellerAttentionPage,
  ),
  money: page(
    'pages/seller/payment-pages',
    async () => (await import('@/pages/seller/payment-pages')).SellerMoneyPage,
  ),
  margin: page(
    'pages/seller/margin-page',
    async () => (await import('@/pages/seller/margin-page')).SellerMarginPage,
  ),
  stock: page(
    'pages/seller/stock-page',
    async () => (await import('@/pages/seller/stock-page')).SellerStockPage,
  ),
  bills: page(
    'pages/seller/bills-page',
    async () => (await import('@/pages/seller/bills-page')).SellerBillsPage,
  ),
  cash: page('pages/seller/cash-page', async () => (await import('@/pages/seller/cash-page')).SellerCashPage),
  settings: page(
    'pages/seller/settings-page',
    async () => (await import('@/pages/seller/settings-page')).SellerSettingsPage,
  ),
  newsletter: page(
    'pages/seller/newsletter-page',
    async () => (await import('@/pages/seller/newsletter-page')).SellerNewsletterPage,
  ),
  audit: page(
    'pages/seller/audit-page',
    async () => (await import('@/pages/seller/audit-page')).SellerAuditPage,
  ),
  policies: page(
    'pages/seller/policies-page',
    async () => (await import('@/pages/seller/policies-page')).SellerPoliciesPage,
  ),
  complaint: page(
    'pages/seller/complaint-page',
    async () => (await import('@/pages/seller/complaint-page')).SellerComplaintPage,
  ),
  security: page(
    'pages/seller/security-page',
    async () => (await import('@/pages/seller/security-page')).SellerSecurityPage,
  ),
  staff: page('pages/seller/staff-page', async () => (await import('@/pages/seller/staff-page')).StaffPage),
  deliveries: page(
    'pages/seller/my-deliveries-page',
    async () => (await import('@/pages/seller/my-deliveries-page')).MyDeliveriesPage,
  ),
  join: page('pages/seller/join-page', async () => (await import('@/pages/seller/join-page')).JoinPage),
  alerts: page(
    'pages/seller/alerts-page',
    async () => (await import('@/pages/seller/alerts-page')).SellerAlertsPage,
  ),
}
export type SellerPageName = keyof typeof sellerPages
