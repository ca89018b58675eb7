import '@/lib/seller-messages'
import { loadMessages, type MessagePart } from '@/lib/i18n'

/** Fetches a page together with its messages. */
const page =
  <T>(parts: MessagePart[], load: () => Promise<T>) =>
  async () =>
    (await Promise.all([load(), ...parts.map(loadMessages)]))[0]

/** Every page of the seller dashboard, with the message parts that it needs. */
export const sellerPages = {
  frame: page(['account', 'seller'], async () => (await import('@/pages/seller/seller-layout')).SellerLayout),
  list: page(
    ['sellerCatalogue'],
    async () => (await import('@/pages/seller/product-list-page')).ProductListPage,
  ),
  addProduct: page(
    ['sellerCatalogue'],
    async () => (await import('@/pages/seller/add-product-page')).AddProductPage,
  ),
  import: page(
    ['sellerCatalogue', 'sellerImports'],
    async () => (await import('@/pages/seller/import-page')).ImportPage,
  ),
  categories: page(
    ['sellerCatalogue'],
    async () => (await import('@/pages/seller/categories-page')).SellerCategoriesPage,
  ),
  orders: page(
    ['sellerOrders', 'orderDetails', 'orders'],
    async () => (await import('@/pages/seller/orders-page')).SellerOrdersPage,
  ),
  delivery: page(
    ['sellerOrders', 'orders'],
    async () => (await import('@/pages/seller/delivery-page')).SellerDeliveryPage,
  ),
  overview: page(
    ['sellerShop'],
    async () => (await import('@/pages/seller/overview-page')).SellerOverviewPage,
  ),
  attention: page(
    ['orders', 'sellerPayments'],
    async () => (await import('@/pages/seller/payment-pages')).SellerAttentionPage,
  ),
  money: page(
    ['orders', 'sellerPayments'],
    async () => (await import('@/pages/seller/payment-pages')).SellerMoneyPage,
  ),
  settings: page(
    ['sellerShop'],
    async () => (await import('@/pages/seller/settings-page')).SellerSettingsPage,
  ),
  newsletter: page(
    ['sellerShop'],
    async () => (await import('@/pages/seller/newsletter-page')).SellerNewsletterPage,
  ),
  audit: page(
    ['sellerShop', 'orders'],
    async () => (await import('@/pages/seller/audit-page')).SellerAuditPage,
  ),
  security: page(
    ['sellerShop'],
    async () => (await import('@/pages/seller/security-page')).SellerSecurityPage,
  ),
}
export type SellerPageName = keyof typeof sellerPages
