/**
 * Keeps the shop usable without a network. `src/lib/offline-cache.ts` says what is cached and what never is; the
 * reasons are in `docs/decisions/035-offline-support-with-a-service-worker.md`. It caches only what a page has
 * requested, responds only to what it knows, and leaves everything else (personal data and all changes) to the browser.
 */
import {
  CACHE_NAMES,
  resourceKind,
  responsesFor,
  SHELL_PAGE,
  type WorkerMessage,
} from '../src/lib/offline-cache.ts'
import { answers, clearVisited, files, pages, pictures } from './caches.ts'
import { sendConnectionStatus } from './connection.ts'
import {
  openNotification,
  renewSubscription,
  type SubscriptionChange,
  showNotification,
} from './notifications.ts'
import { productsByIds } from './products.ts'

declare const self: ServiceWorkerGlobalScope

/** Used once, because the build inserts its value at every use. */
const built = BUILT
const strategies = { files, pictures, answers }

// There is no `skipWaiting` here: a shopper keeps the old version until they accept the update.
self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([self.registration.navigationPreload?.enable(), self.clients.claim()]))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (url.origin !== location.origin) return
  const kind = resourceKind(url)
  // This applies to every method; the request itself continues to the network.
  if (kind === 'leaving') event.waitUntil(clearVisited().then(() => cachePage(event, SHELL_PAGE)))
  if (request.method !== 'GET') return
  if (request.mode === 'navigate') event.respondWith(page(event, url))
  else if (kind === 'byIds') event.respondWith(productsByIds(request))
  else if (kind === 'files' || kind === 'pictures' || kind === 'answers') {
    event.respondWith(strategies[kind].handle(event))
  }
})

/**
 * Handles every navigation, also to pages that are never cached: the browser has already requested the page
 * (`navigationPreload`) and would request it twice. The return from the identity provider works only once.
 */
async function page(event: FetchEvent, url: URL): Promise<Response> {
  try {
    if (resourceKind(url) === 'pages') return await pages.handle(event)
    return ((await event.preloadResponse) as Response | undefined) ?? (await fetch(event.request))
  } catch {
    return (await shellPage(url)) ?? offlinePage()
  }
}

/**
 * A page that was only reached by client-side navigation has no cached HTML, but the app can draw it from its cached
 * responses.
 */
async function shellPage(url: URL): Promise<Response | undefined> {
  if (resourceKind(url) !== 'pages') return undefined
  const needed = await Promise.all(
    responsesFor(url).map((address) => matchCached(CACHE_NAMES.answers, address)),
  )
  return needed.every(Boolean) ? matchCached(CACHE_NAMES.pages, SHELL_PAGE) : undefined
}

const matchCached = (store: string, address: string) =>
  caches.match(address, { cacheName: store, ignoreVary: true })

function offlinePage(): Response {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; manifest-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  }
  return new Response(built.offlinePage, { status: 503, headers })
}

self.addEventListener('message', (event) => {
  const message = event.data as WorkerMessage
  if (message.type === 'take-over') void self.skipWaiting()
  else if (message.type === 'whose') event.ports[0]?.postMessage(message.entry === built.entry)
  else if (message.type === 'line') sendConnectionStatus(event.source)
  else if (message.type === 'keep') event.waitUntil(keep(event, message))
})

/**
 * Caches the resources of the first page, which loaded before this worker was active; they are still in the browser's
 * cache, so that this costs almost nothing. Prefetching comes last, one file at a time and with low priority.
 */
async function keep(
  event: ExtendableMessageEvent,
  { resources, prefetch, nepali }: WorkerMessage & { type: 'keep' },
) {
  for (const address of resources) await precacheFile(event, address)
  if (!prefetch) return
  const empty = await matchCached(CACHE_NAMES.pages, SHELL_PAGE)
  // A shell page of an older build would request files of that build.
  if (!(await empty?.text())?.includes(built.entry)) await cachePage(event, SHELL_PAGE)
  for (const address of [...built.files, ...(nepali ? built.nepali : [])]) {
    // A newer version must wait until this is done, and does not need these files.
    if (self.registration.installing ?? self.registration.waiting) return
    await precacheFile(event, address)
  }
}

async function precacheFile(event: ExtendableEvent, address: string) {
  const url = new URL(address, location.origin)
  const kind = url.origin === location.origin ? resourceKind(url) : undefined
  if (kind === 'pages') await cachePage(event, address)
  if ((kind !== 'files' && kind !== 'pictures') || (await matchCached(CACHE_NAMES[kind], address))) return
  // A failure here does no harm: the next visit continues.
  const request = new Request(url, { priority: 'low' })
  await Promise.all(strategies[kind].handleAll({ event, request })).catch(() => {})
}

async function cachePage(event: ExtendableEvent, address: string) {
  const request = new Request(new URL(address, location.origin), { priority: 'low' })
  await Promise.all(pages.handleAll({ event, request })).catch(() => {})
}

self.addEventListener('push', (event) => event.waitUntil(showNotification(event)))
self.addEventListener('notificationclick', (event) => event.waitUntil(openNotification(event)))
// TypeScript's library does not know this event.
self.addEventListener('pushsubscriptionchange', (event) =>
  (event as ExtendableEvent).waitUntil(renewSubscription(event as SubscriptionChange)),
)
