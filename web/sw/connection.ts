import { NETWORK_FAILED } from '../src/lib/offline-cache.ts'

declare const self: ServiceWorkerGlobalScope

/** Whether the last network request succeeded. A phone on a Wi-Fi without internet calls itself online. */
let connected = true

export function reportNetworkSuccess() {
  connected = true
}

export async function reportNetworkFailure() {
  connected = false
  for (const page of await self.clients.matchAll()) page.postMessage(NETWORK_FAILED)
}

/** A page that has just been opened has missed the message. */
export function sendConnectionStatus(page: ExtendableMessageEvent['source']) {
  if (!connected) page?.postMessage(NETWORK_FAILED)
}
