import { NETWORK_FAILED } from '../src/lib/offline-cache.ts'

declare const self: ServiceWorkerGlobalScope

/** Whether the network brought what was last asked of it. A phone on a Wi-Fi that leads nowhere calls itself online. */
let connected = true

export function reportNetworkSuccess() {
  connected = true
}

export async function reportNetworkFailure() {
  connected = false
  for (const page of await self.clients.matchAll()) page.postMessage(NETWORK_FAILED)
}

/** Who has just been opened was not there to be told. */
export function sendConnectionStatus(page: ExtendableMessageEvent['source']) {
  if (!connected) page?.postMessage(NETWORK_FAILED)
}
