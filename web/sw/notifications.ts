/** Notifications: shows what the shop pushes, opens the page that it is about, and renews the subscription. */

declare const self: ServiceWorkerGlobalScope

/** What the server sends (`server/src/alerts/deliver.rs`). */
type PushPayload = { title: string; body: string; url: string; tag: string; language: string; alert: string }

export type SubscriptionChange = ExtendableEvent & {
  readonly oldSubscription?: PushSubscription
  readonly newSubscription?: PushSubscription
}

/** Browsers end the subscription of a shop that shows nothing, so every message is shown. */
export async function showNotification(event: PushEvent) {
  const message = readPayload(event)
  if (!message) return
  const { title, body, url, tag, language, alert } = message
  const urgent = alert === 'new_order' || alert === 'order_not_opened'
  const options: NotificationOptions & { renotify?: boolean } = {
    body,
    tag,
    lang: language,
    icon: '/icon-192.png',
    data: { url },
    // A message about the same order replaces the last one and still makes itself heard.
    renotify: true,
    requireInteraction: urgent,
  }
  await self.registration.showNotification(title, options)
}

function readPayload(event: PushEvent): PushPayload | undefined {
  try {
    return event.data?.json() as PushPayload
  } catch {
    return undefined
  }
}

/** Opens the page of the message: in a tab of the shop if there is one, otherwise in a new one. */
export async function openNotification(event: NotificationEvent) {
  event.notification.close()
  const { url } = event.notification.data as { url: string }
  const wanted = new URL(url, location.origin)
  // A message cannot lead to another site.
  if (wanted.origin !== location.origin) return
  const area = (path: string) => path.startsWith('/seller')
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const tab = tabs.find((each) => area(new URL(each.url).pathname) === area(wanted.pathname))
  if (!tab) {
    await self.clients.openWindow(wanted.href)
    return
  }
  await tab.focus()
  // A tab that is not controlled by this worker cannot be sent anywhere.
  await tab.navigate(wanted.href).catch(() => self.clients.openWindow(wanted.href))
}

/** The push service has changed the address of this browser: the server is told the new one. */
export async function renewSubscription({ oldSubscription, newSubscription }: SubscriptionChange) {
  const options = oldSubscription?.options
  if (!oldSubscription || !options) return
  const made = newSubscription ?? (await self.registration.pushManager.subscribe(options))
  const { endpoint, keys } = made.toJSON()
  await fetch('/api/alerts/renew_subscription', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      formerEndpoint: oldSubscription.endpoint,
      subscription: { endpoint, keys: { p256dh: keys?.p256dh, auth: keys?.auth } },
    }),
  })
}
