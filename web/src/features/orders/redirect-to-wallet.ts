import { type RawText, t } from '@/lib/i18n'
import { toast } from '@/ui/toast'

/** How long one can read where one is being taken. */
const READ_MS = 700
/** A wallet's page that has not come by now will not come. */
const GIVE_UP_MS = 20_000

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Takes the browser to the wallet's page. Settles when one is back: the browser may keep this page as it was and show it
 * again at the press of Back, and then its buttons have to work.
 */
export async function redirectToWallet(address: string, provider: string) {
  toast.success(t('order.redirect', { provider }) as RawText)
  // A quick line would be gone before anybody could read it.
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
