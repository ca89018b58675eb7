import { onTestFinished, vi } from 'vitest'

type PushOptions = { answer?: NotificationPermission; subscribed?: boolean }

/** A browser that can show notifications; happy-dom cannot. Returns how often the permission was asked for. */
export function stubPush({ answer = 'granted', subscribed = false }: PushOptions = {}) {
  const seen = { asked: 0 }
  const subscription = {
    endpoint: 'https://push.example/1',
    toJSON: () => ({ endpoint: 'https://push.example/1', keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: async () => true,
  }
  let current = subscribed ? subscription : null
  const registration = {
    pushManager: {
      getSubscription: async () => current,
      subscribe: async () => {
        current = subscription
        return subscription
      },
    },
  }
  const notification = {
    permission: subscribed ? 'granted' : ('default' as NotificationPermission),
    requestPermission: async () => {
      seen.asked += 1
      notification.permission = answer
      return answer
    },
  }
  vi.stubGlobal('Notification', notification)
  vi.stubGlobal('PushManager', class {})
  const serviceWorker = { ready: Promise.resolve(registration), getRegistration: async () => registration }
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'serviceWorker'))
  return seen
}
