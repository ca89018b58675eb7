import { type RawText, t } from '@/lib/i18n'
import { toast } from '@/ui/toast'

/** How long the message about the redirect can be read. */
const READ_MS = 700
/** After this time the wallet's page has failed to load. */
const GIVE_UP_MS = 20_000

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Redirects the browser to the wallet's page. Resolves when the shopper comes back, because the browser may restore
 * this page from its cache and its buttons must then work, or when the redirect fails.
 */
export async function redirectToWallet(address: string, provider: string) {
  toast.success(t('order.redirect', { provider }) as RawText)
  // On a fast connection the message would disappear before it can be read.
  await pause(READ_MS)
  const back = new Promise<void>((resolve) => {
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      window.removeEventListener('pageshow', onShow)
      toast.dismissAll()
      resolve()
    }
    window.addEventListener('pageshow', onShow)
  })
  window.location.assign(address)
  await Promise.race([back, pause(GIVE_UP_MS)])
}
