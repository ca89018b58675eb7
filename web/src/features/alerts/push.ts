// Web push in this browser: whether it is possible, and the subscription. The server stores it for an account.
import { api } from '@/api/client'
import { settings } from '@/lib/first-data'

/** `install`: iPhones and iPads show notifications only for a shop on the home screen. */
export type PushSupport = 'unsupported' | 'install' | 'blocked' | 'possible'

/** What the server stores about this browser. */
export type PushSubscriptionKeys = { endpoint: string; keys: { p256dh: string; auth: string } }

/** The service worker is registered when the browser is idle, so it may take a moment. */
const READY_MS = 10_000

const isAppleTouch = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1)

/** Returns undefined if the shop has no key, and then nothing about notifications is shown. */
export function pushSupport(): PushSupport | undefined {
  if (!settings.pushKey) return undefined
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)
    return Notification.permission === 'denied' ? 'blocked' : 'possible'
  return isAppleTouch() ? 'install' : 'unsupported'
}

async function registration(): Promise<ServiceWorkerRegistration | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), READY_MS))
  return Promise.race([navigator.serviceWorker.ready, late])
}

/** The address of this browser at its push service, if it is subscribed. */
export async function currentEndpoint(): Promise<string | null> {
  if (pushSupport() !== 'possible') return null
  const worker = await navigator.serviceWorker.getRegistration()
  return (await worker?.pushManager.getSubscription())?.endpoint ?? null
}

/** Asks for the permission, which must follow a press of a button, and subscribes. */
export async function subscribe(): Promise<PushSubscriptionKeys | 'denied'> {
  if ((await Notification.requestPermission()) !== 'granted') return 'denied'
  const worker = await registration()
  if (!worker) throw new Error('there is no service worker')
  const options = { userVisibleOnly: true, applicationServerKey: settings.pushKey ?? '' }
  let made: PushSubscription
  try {
    made = await worker.pushManager.subscribe(options)
  } catch {
    // A subscription with a former key of the shop is in the way.
    await (await worker.pushManager.getSubscription())?.unsubscribe()
    made = await worker.pushManager.subscribe(options)
  }
  const { endpoint, keys } = made.toJSON()
  return { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } }
}

/** After a deliberate logout this device shows no more messages of the account. */
export async function forgetDevice() {
  const endpoint = await currentEndpoint()
  if (endpoint) await api.POST('/api/alerts/unsubscribe_device', { body: { endpoint } })
}
