import { loadWithMessages } from '@/lib/i18n'
import { lazyWithRetry } from '@/ui/lazy-with-retry'

/** The filters load after the page; the page keeps their place. */
const load = () =>
  loadWithMessages('features/catalogue/product-filters', () => import('@/features/catalogue/product-filters'))

export const LazyProductFilters = lazyWithRetry(async () => (await load()).ProductFilters)
export const LazyActiveFilters = lazyWithRetry(async () => (await load()).ActiveFilters)
