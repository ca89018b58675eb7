import { loadWithMessages } from '@/lib/i18n'
import { lazyWithRetry } from '@/ui/lazy-with-retry'

/** Few visits change the colours, so the switch loads after the page. */
export const LazyThemeSwitch = lazyWithRetry(
  async () => (await loadWithMessages('ui/theme-switch', () => import('@/ui/theme-switch'))).ThemeSwitch,
)
