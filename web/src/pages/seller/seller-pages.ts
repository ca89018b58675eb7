import '@/lib/seller-words'
import { loadWords, type Part } from '@/lib/i18n'

/** A page and what it says are fetched together. */
const page =
  <T>(parts: Part[], load: () => Promise<T>) =>
  async () =>
    (await Promise.all([load(), ...parts.map(loadWords)]))[0]

/** Every page of the seller's desk, with the parts of the catalogue that it speaks in. */
export const sellerPages = {
  frame: page(['people', 'seller'], async () => (await import('@/pages/seller/seller-frame')).SellerFrame),
  list: page(['shelves'], async () => (await import('@/pages/seller/product-list-page')).ProductListPage),
  addProduct: page(['shelves'], async () => (await import('@/pages/seller/add-product-page')).AddProductPage),
  import: page(['shelves'], async () => (await import('@/pages/seller/import-page')).ImportPage),
  categories: page(
    ['shelves'],
    async () => (await import('@/pages/seller/seller-categories-page')).SellerCategoriesPage,
  ),
  orders: page(
    ['desk', 'order', 'orders'],
    async () => (await import('@/pages/seller/seller-orders-page')).SellerOrdersPage,
  ),
  delivery: page(
    ['desk', 'orders'],
    async () => (await import('@/pages/seller/seller-delivery-page')).SellerDeliveryPage,
  ),
  overview: page(
    ['office'],
    async () => (await import('@/pages/seller/seller-overview-page')).SellerOverviewPage,
  ),
  attention: page(
    ['orders', 'wallet'],
    async () => (await import('@/pages/seller/seller-wallet-pages')).SellerAttentionPage,
  ),
  money: page(
    ['orders', 'wallet'],
    async () => (await import('@/pages/seller/seller-wallet-pages')).SellerMoneyPage,
  ),
  settings: page(
    ['office'],
    async () => (await import('@/pages/seller/seller-settings-page')).SellerSettingsPage,
  ),
  newsletter: page(
    ['office'],
    async () => (await import('@/pages/seller/seller-newsletter-page')).SellerNewsletterPage,
  ),
  audit: page(
    ['office', 'orders'],
    async () => (await import('@/pages/seller/seller-audit-page')).SellerAuditPage,
  ),
  security: page(
    ['office'],
    async () => (await import('@/pages/seller/seller-security-page')).SellerSecurityPage,
  ),
}
export type SellerPageName = keyof typeof sellerPages
