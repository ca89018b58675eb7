import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent as lazyComponent,
} from '@tanstack/react-router'
import { queryClient } from '@/api/query-client'
import { Layout } from '@/app/layout'
import { readProductsSearch } from '@/app/products-search'
import { RootError } from '@/app/root-error'
import { catalogueQueries, findCategory } from '@/features/catalogue/api'
import { loadWords, type Part } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { retryLoad } from '@/lib/retry-load'
import { saveData } from '@/lib/save-data'
import type { SellerPageName } from '@/pages/seller/seller-pages'
import { NotFoundPage } from '@/pages/storefront/not-found-page'

/**
 * How long a page change waits for its data. Within it the new page appears complete; after it the page appears with
 * its skeletons, so nobody stares at the old page and fast answers never flash a skeleton.
 */
const PATIENCE_MS = 150

async function holdFor(...loading: Promise<unknown>[]) {
  await Promise.race([
    Promise.allSettled(loading),
    new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)),
  ])
}

const loadCategories = () => queryClient.prefetchQuery(catalogueQueries.categories())

/** The router's own, but a file that does not come is asked for again. */
const lazyRouteComponent: typeof lazyComponent = (load, name) => lazyComponent(() => retryLoad(load), name)

/** A page whose words are not in the first download: both are fetched together. */
const withWords =
  <T,>(parts: Part[], load: () => Promise<T>) =>
  async () =>
    (await Promise.all([load(), ...parts.map(loadWords)]))[0]

const root = createRootRoute({
  component: Layout,
  notFoundComponent: NotFoundPage,
  errorComponent: RootError,
})
const under = { getParentRoute: () => root } as const

/** Read top to bottom, this is the site map. Every page loads on demand. */
const siteMap = [
  createRoute({
    ...under,
    path: paths.home,
    component: lazyRouteComponent(() => import('@/pages/storefront/home-page'), 'HomePage'),
    loader: () => holdFor(loadCategories(), queryClient.prefetchInfiniteQuery(catalogueQueries.products({}))),
  }),
  createRoute({
    ...under,
    path: paths.products,
    component: lazyRouteComponent(() => import('@/pages/storefront/products-page'), 'ProductsPage'),
    validateSearch: readProductsSearch,
    loaderDeps: ({ search }) => search,
    loader: ({ deps }) =>
      holdFor(loadCategories(), queryClient.prefetchInfiniteQuery(catalogueQueries.products(deps))),
  }),
  createRoute({
    ...under,
    path: paths.categories,
    component: lazyRouteComponent(() => import('@/pages/storefront/categories-page'), 'CategoriesPage'),
    loader: () => holdFor(loadCategories()),
  }),
  createRoute({
    ...under,
    path: paths.category,
    component: lazyRouteComponent(() => import('@/pages/storefront/category-page'), 'CategoryPage'),
    loader: ({ params }) => holdFor(loadShelf(params.category)),
  }),
  createRoute({
    ...under,
    path: paths.product,
    component: lazyRouteComponent(() => import('@/pages/storefront/product-page'), 'ProductPage'),
    loader: ({ params }) => holdFor(queryClient.prefetchQuery(catalogueQueries.product(params.id))),
  }),
  createRoute({
    ...under,
    path: paths.offers,
    component: lazyRouteComponent(() => import('@/pages/storefront/offers-page'), 'OffersPage'),
  }),
  createRoute({
    ...under,
    path: paths.cart,
    component: lazyRouteComponent(
      withWords(['cart'], () => import('@/pages/storefront/cart-page')),
      'CartPage',
    ),
  }),
  createRoute({
    ...under,
    path: paths.about,
    component: lazyRouteComponent(
      withWords(['about'], () => import('@/pages/storefront/about-page')),
      'AboutPage',
    ),
  }),
  createRoute({
    ...under,
    path: paths.orders,
    component: lazyRouteComponent(
      withWords(['orders'], () => import('@/pages/storefront/orders-page')),
      'OrdersPage',
    ),
  }),
  createRoute({
    ...under,
    path: paths.payment,
    component: lazyRouteComponent(
      withWords(['payment'], () => import('@/pages/storefront/payment-page')),
      'PaymentPage',
    ),
  }),
  createRoute({
    ...under,
    path: paths.profile,
    component: lazyRouteComponent(
      withWords(['people'], () => import('@/pages/storefront/profile-page')),
      'ProfilePage',
    ),
  }),
  createRoute({
    ...under,
    path: paths.addAddress,
    component: lazyRouteComponent(
      withWords(['people'], () => import('@/pages/storefront/add-address-page')),
      'AddAddressPage',
    ),
  }),
  createRoute({
    ...under,
    path: paths.resetPassword,
    component: lazyRouteComponent(
      withWords(['people'], () => import('@/pages/storefront/reset-password-page')),
      'ResetPasswordPage',
    ),
  }),
  createRoute({
    ...under,
    path: paths.confirmEmail,
    component: lazyRouteComponent(
      withWords(['people'], () => import('@/pages/storefront/confirm-email-page')),
      'ConfirmEmailPage',
    ),
  }),
  createRoute({
    ...under,
    path: paths.cancelEmailChange,
    component: lazyRouteComponent(
      withWords(['people'], () => import('@/pages/storefront/cancel-email-change-page')),
      'CancelEmailChangePage',
    ),
  }),
] as const

/** The seller's desk, behind one file: what a shopper downloads does not even name its pages. */
const sellerPage = (name: SellerPageName) =>
  lazyRouteComponent(
    async () => ({ page: await (await import('@/pages/seller/seller-pages')).sellerPages[name]() }),
    'page',
  )
/** Its frame decides between the login and the pages inside it. */
const seller = createRoute({
  ...under,
  path: paths.seller,
  component: sellerPage('frame'),
  notFoundComponent: NotFoundPage,
})
const inSeller = { getParentRoute: () => seller } as const
const sellerMap = [
  createRoute({ ...inSeller, path: '/', component: sellerPage('list') }),
  createRoute({ ...inSeller, path: 'add_product', component: sellerPage('addProduct') }),
  createRoute({ ...inSeller, path: 'import', component: sellerPage('import') }),
  createRoute({ ...inSeller, path: 'orders', component: sellerPage('orders') }),
  createRoute({ ...inSeller, path: 'delivery', component: sellerPage('delivery') }),
  createRoute({ ...inSeller, path: 'categories', component: sellerPage('categories') }),
  createRoute({ ...inSeller, path: 'overview', component: sellerPage('overview') }),
  createRoute({ ...inSeller, path: 'attention', component: sellerPage('attention') }),
  createRoute({ ...inSeller, path: 'money', component: sellerPage('money') }),
  createRoute({ ...inSeller, path: 'settings', component: sellerPage('settings') }),
  createRoute({ ...inSeller, path: 'newsletter', component: sellerPage('newsletter') }),
  createRoute({ ...inSeller, path: 'audit', component: sellerPage('audit') }),
  createRoute({ ...inSeller, path: 'security', component: sellerPage('security') }),
] as const

/** The category first: only it knows the slug's true spelling, and an unknown one has no products to ask for. */
async function loadShelf(slug: string) {
  const categories = await queryClient.fetchQuery(catalogueQueries.categories())
  const category = findCategory(categories, slug)
  if (category)
    await queryClient.prefetchInfiniteQuery(catalogueQueries.products({ category: category.slug }))
}

export const router = createRouter({
  routeTree: root.addChildren([...siteMap, seller.addChildren(sellerMap)]),
  // Whoever saves data does not want pages fetched on a guess.
  defaultPreload: saveData() ? false : 'intent',
  defaultPreloadDelay: 80,
  // Freshness is the query cache's business.
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
