import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { queryClient } from '@/api/query-client'
import { Layout } from '@/app/layout'
import { readProductsSearch } from '@/app/products-search'
import { registerAfterLoad } from '@/app/register-after-load'
import { RootError } from '@/app/root-error'
import { catalogueQueries, findCategory } from '@/features/catalogue/api'
import { type PolicyName, policyPage as policies } from '@/features/policies/api'
import { type LazyModule, loadWithMessages } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { retryLoad } from '@/lib/retry-load'
import { saveData } from '@/lib/save-data'
import type { SellerPageName } from '@/pages/seller/seller-pages'
import { NotFoundPage } from '@/pages/storefront/not-found-page'

/**
 * How long a page change waits for its data. A faster response shows the complete page without a flash of skeletons;
 * after a slower one the page appears with skeletons, so the shopper does not wait on the old page.
 */
const LOADER_WAIT_MS = 150

async function waitBriefly(...loading: Promise<unknown>[]) {
  await Promise.race([
    Promise.allSettled(loading),
    new Promise((resolve) => setTimeout(resolve, LOADER_WAIT_MS)),
  ])
}

const loadCategories = () => queryClient.prefetchQuery(catalogueQueries.categories())

/** Fetches a page together with its messages, and retries a file that did not load. */
const page = <Name extends string, T extends Record<Name, ComponentType>>(
  module: LazyModule,
  load: () => Promise<T>,
  name: Name,
) => lazyRouteComponent(() => retryLoad(() => loadWithMessages(module, load)), name)

const root = createRootRoute({
  component: Layout,
  notFoundComponent: NotFoundPage,
  errorComponent: RootError,
})
const underRoot = { getParentRoute: () => root } as const

/** All policies share a page, whose address says which one it shows. */
const policyPage = page(
  'pages/storefront/policy-page',
  () => import('@/pages/storefront/policy-page'),
  'PolicyPage',
)
const loadPolicy = (name: PolicyName) => queryClient.prefetchQuery(policies(name))

/** The site map, from top to bottom. Every page loads on demand. */
const siteMap = [
  createRoute({
    ...underRoot,
    path: paths.home,
    component: page('pages/storefront/home-page', () => import('@/pages/storefront/home-page'), 'HomePage'),
    loader: () =>
      waitBriefly(loadCategories(), queryClient.prefetchInfiniteQuery(catalogueQueries.products({}))),
  }),
  createRoute({
    ...underRoot,
    path: paths.products,
    component: page(
      'pages/storefront/products-page',
      () => import('@/pages/storefront/products-page'),
      'ProductsPage',
    ),
    validateSearch: readProductsSearch,
    loaderDeps: ({ search }) => search,
    loader: ({ deps }) =>
      waitBriefly(loadCategories(), queryClient.prefetchInfiniteQuery(catalogueQueries.products(deps))),
  }),
  createRoute({
    ...underRoot,
    path: paths.categories,
    component: page(
      'pages/storefront/categories-page',
      () => import('@/pages/storefront/categories-page'),
      'CategoriesPage',
    ),
    loader: () => waitBriefly(loadCategories()),
  }),
  createRoute({
    ...underRoot,
    path: paths.category,
    component: page(
      'pages/storefront/category-page',
      () => import('@/pages/storefront/category-page'),
      'CategoryPage',
    ),
    loader: ({ params }) => waitBriefly(loadCategoryProducts(params.category)),
  }),
  createRoute({
    ...underRoot,
    path: paths.product,
    component: page(
      'pages/storefront/product-page',
      () => import('@/pages/storefront/product-page'),
      'ProductPage',
    ),
    loader: ({ params }) => waitBriefly(queryClient.prefetchQuery(catalogueQueries.product(params.id))),
  }),
  createRoute({
    ...underRoot,
    path: paths.offers,
    component: page(
      'pages/storefront/offers-page',
      () => import('@/pages/storefront/offers-page'),
      'OffersPage',
    ),
    loader: async () => {
      const { loadOffers } = await retryLoad(() => import('@/pages/storefront/offers-page'))
      await waitBriefly(loadOffers())
    },
  }),
  createRoute({
    ...underRoot,
    path: paths.cart,
    component: page('pages/storefront/cart-page', () => import('@/pages/storefront/cart-page'), 'CartPage'),
  }),
  createRoute({
    ...underRoot,
    path: paths.about,
    component: page(
      'pages/storefront/about-page',
      () => import('@/pages/storefront/about-page'),
      'AboutPage',
    ),
    loader: () => waitBriefly(loadPolicy('about')),
  }),
  createRoute({
    ...underRoot,
    path: paths.privacy,
    component: policyPage,
    loader: () => waitBriefly(loadPolicy('privacy')),
  }),
  createRoute({
    ...underRoot,
    path: paths.terms,
    component: policyPage,
    loader: () => waitBriefly(loadPolicy('terms')),
  }),
  createRoute({
    ...underRoot,
    path: paths.returns,
    component: policyPage,
    loader: () => waitBriefly(loadPolicy('returns')),
  }),
  createRoute({
    ...underRoot,
    path: paths.deliveryPolicy,
    component: policyPage,
    loader: () => waitBriefly(loadPolicy('delivery')),
  }),
  createRoute({
    ...underRoot,
    path: paths.orders,
    component: page(
      'pages/storefront/orders-page',
      () => import('@/pages/storefront/orders-page'),
      'OrdersPage',
    ),
  }),
  createRoute({
    ...underRoot,
    path: paths.favourites,
    component: page(
      'pages/storefront/favourites-page',
      () => import('@/pages/storefront/favourites-page'),
      'FavouritesPage',
    ),
  }),
  createRoute({
    ...underRoot,
    path: paths.payment,
    component: page(
      'pages/storefront/payment-page',
      () => import('@/pages/storefront/payment-page'),
      'PaymentPage',
    ),
  }),
  createRoute({
    ...underRoot,
    path: paths.profile,
    component: page(
      'pages/storefront/profile-page',
      () => import('@/pages/storefront/profile-page'),
      'ProfilePage',
    ),
  }),
  createRoute({
    ...underRoot,
    path: paths.addAddress,
    component: page(
      'pages/storefront/add-address-page',
      () => import('@/pages/storefront/add-address-page'),
      'AddAddressPage',
    ),
  }),
  createRoute({
    ...underRoot,
    path: paths.resetPassword,
    component: page(
      'pages/storefront/reset-password-page',
      () => import('@/pages/storefront/reset-password-page'),
      'ResetPasswordPage',
    ),
  }),
  createRoute({
    ...underRoot,
    path: paths.confirmEmail,
    component: page(
      'pages/storefront/confirm-email-page',
      () => import('@/pages/storefront/confirm-email-page'),
      'ConfirmEmailPage',
    ),
  }),
  createRoute({
    ...underRoot,
    path: paths.cancelEmailChange,
    component: page(
      'pages/storefront/cancel-email-change-page',
      () => import('@/pages/storefront/cancel-email-change-page'),
      'CancelEmailChangePage',
    ),
  }),
  createRoute({
    ...underRoot,
    path: paths.confirmNewsletter,
    component: page(
      'pages/storefront/confirm-newsletter-page',
      () => import('@/pages/storefront/confirm-newsletter-page'),
      'ConfirmNewsletterPage',
    ),
  }),
  createRoute({
    ...underRoot,
    path: paths.unsubscribeNewsletter,
    component: page(
      'pages/storefront/newsletter-unsubscribe-page',
      () => import('@/pages/storefront/newsletter-unsubscribe-page'),
      'NewsletterUnsubscribePage',
    ),
  }),
  createRoute({
    ...underRoot,
    path: paths.unsubscribe,
    component: page(
      'pages/storefront/unsubscribe-page',
      () => import('@/pages/storefront/unsubscribe-page'),
      'UnsubscribePage',
    ),
  }),
  createRoute({
    ...underRoot,
    path: paths.complaint,
    component: page(
      'pages/storefront/complaint-page',
      () => import('@/pages/storefront/complaint-page'),
      'ComplaintPage',
    ),
  }),
] as const

/**
 * The seller dashboard is behind one file, so that the shopper's download does not even contain the names of its pages.
 */
const sellerPage = (name: SellerPageName) =>
  lazyRouteComponent(
    () =>
      retryLoad(async () => ({
        page: await (await import('@/pages/seller/seller-pages')).sellerPages[name](),
      })),
    'page',
  )
/** The layout shows either the login or the page inside it. */
const seller = createRoute({
  ...underRoot,
  path: paths.seller,
  component: sellerPage('frame'),
  notFoundComponent: NotFoundPage,
})
const underSeller = { getParentRoute: () => seller } as const
const sellerRoutes = [
  createRoute({ ...underSeller, path: '/', component: sellerPage('list') }),
  createRoute({ ...underSeller, path: 'add_product', component: sellerPage('addProduct') }),
  createRoute({ ...underSeller, path: 'import', component: sellerPage('import') }),
  createRoute({ ...underSeller, path: 'orders', component: sellerPage('orders') }),
  createRoute({ ...underSeller, path: 'packing', component: sellerPage('packing') }),
  createRoute({ ...underSeller, path: 'delivery', component: sellerPage('delivery') }),
  createRoute({ ...underSeller, path: 'delivery-zones', component: sellerPage('deliveryZones') }),
  createRoute({ ...underSeller, path: 'categories', component: sellerPage('categories') }),
  createRoute({ ...underSeller, path: 'coupons', component: sellerPage('coupons') }),
  createRoute({ ...underSeller, path: 'seasons', component: sellerPage('seasons') }),
  createRoute({ ...underSeller, path: 'overview', component: sellerPage('overview') }),
  createRoute({ ...underSeller, path: 'attention', component: sellerPage('attention') }),
  createRoute({ ...underSeller, path: 'money', component: sellerPage('money') }),
  createRoute({ ...underSeller, path: 'bills', component: sellerPage('bills') }),
  createRoute({ ...underSeller, path: 'margin', component: sellerPage('margin') }),
  createRoute({ ...underSeller, path: 'stock', component: sellerPage('stock') }),
  createRoute({ ...underSeller, path: 'cash', component: sellerPage('cash') }),
  createRoute({ ...underSeller, path: 'settings', component: sellerPage('settings') }),
  createRoute({ ...underSeller, path: 'newsletter', component: sellerPage('newsletter') }),
  createRoute({ ...underSeller, path: 'audit', component: sellerPage('audit') }),
  createRoute({ ...underSeller, path: 'security', component: sellerPage('security') }),
  createRoute({ ...underSeller, path: 'staff', component: sellerPage('staff') }),
  // A rider's list works without a connection, also for a rider who has never opened the shop.
  createRoute({
    ...underSeller,
    path: 'deliveries',
    component: sellerPage('deliveries'),
    onEnter: registerAfterLoad,
  }),
  createRoute({ ...underSeller, path: 'join', component: sellerPage('join') }),
  createRoute({ ...underSeller, path: 'alerts', component: sellerPage('alerts') }),
  createRoute({ ...underSeller, path: 'policies', component: sellerPage('policies') }),
  createRoute({ ...underSeller, path: 'complaints/$id', component: sellerPage('complaint') }),
] as const

/** Loads the category first: only it has the slug's exact spelling, and an unknown slug has no products. */
async function loadCategoryProducts(slug: string) {
  const categories = await queryClient.fetchQuery(catalogueQueries.categories())
  const category = findCategory(categories, slug)
  if (category)
    await queryClient.prefetchInfiniteQuery(catalogueQueries.products({ category: category.slug }))
}

export const router = createRouter({
  routeTree: root.addChildren([...siteMap, seller.addChildren(sellerRoutes)]),
  // Visitors who save data do not want speculative fetches.
  defaultPreload: saveData() ? false : 'intent',
  defaultPreloadDelay: 80,
  // The query cache decides what is fresh.
  defaultPreloadStaleTime: 0,
  // Plain strings: the default would read `?search=1` as a number and write `"1"` back.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
    const text = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString()
    return text ? `?${text}` : ''
  },
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
