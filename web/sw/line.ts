import { NOTHING_CAME } from '../src/lib/kept.ts'

declare const self: ServiceWorkerGlobalScope

/** Whether the network brought what was last asked of it. A phone on a Wi-Fi that leads nowhere calls itself online. */
let holds = true

export function somethingCame() {
  holds = true
}

export async function nothingCame() {
  holds = false
  for (const page of await self.clients.matchAll()) page.postMessage(NOTHING_CAME)
}

/** Who has just been opened was not there to be told. */
export function tellLine(page: ExtendableMessageEvent['source']) {
  if (!holds) page?.postMessage(NOTHING_CAME)
}
