/**
 * Keeps the shop usable without a network. What is kept and what never is, is written in `src/lib/kept.ts`; why, in
 * `docs/decisions/035-offline-support-with-a-service-worker.md`. It stores nothing that it was not asked for by a page,
 * answers only what it knows, and leaves everything else (all that is about a person, and all that changes something) to
 * the browser.
 */
import { type Asked, answersOf, EMPTY_PAGE, kindOf, STORES } from '../src/lib/kept.ts'
import { tellLine } from './line.ts'
import { productsByIds } from './products.ts'
import { answers, files, forget, pages, pictures } from './stores.ts'

declare const self: ServiceWorkerGlobalScope

/** Named once: the build writes it in wherever it is named. */
const built = BUILT
const strategies = { files, pictures, answers }

// No `skipWaiting` here: who shops with the old version keeps it until they say so.
self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([self.registration.navigationPreload?.enable(), self.clients.claim()]))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (url.origin !== location.origin) return
  const kind = kindOf(url)
  // Whatever its method. Nothing is answered here, the request goes its way.
  if (kind === 'leaving') event.waitUntil(forget().then(() => keepPage(event, EMPTY_PAGE)))
  if (request.method !== 'GET') return
  if (request.mode === 'navigate') event.respondWith(page(event, url))
  else if (kind === 'byIds') event.respondWith(productsByIds(request))
  else if (kind === 'files' || kind === 'pictures' || kind === 'answers') {
    event.respondWith(strategies[kind].handle(event))
  }
})

/**
 * Every page that is opened is answered here, also those that are none of ours to keep: the browser has asked for it
 * already (`navigationPreload`), and would ask a second time. The way back from the identity provider works only once.
 */
async function page(event: FetchEvent, url: URL): Promise<Response> {
  try {
    if (kindOf(url) === 'pages') return await pages.handle(event)
    return ((await event.preloadResponse) as Response | undefined) ?? (await fetch(event.request))
  } catch {
    return (await emptyPage(url)) ?? offlinePage()
  }
}

/** A page that was only ever reached by a tap has no HTML here; but with its answers at hand the app can draw it. */
async function emptyPage(url: URL): Promise<Response | undefined> {
  if (kindOf(url) !== 'pages') return undefined
  const needed = await Promise.all(answersOf(url).map((address) => at(STORES.answers, address)))
  return needed.every(Boolean) ? at(STORES.pages, EMPTY_PAGE) : undefined
}

const at = (store: string, address: string) => caches.match(address, { cacheName: store, ignoreVary: true })

function offlinePage(): Response {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; manifest-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  }
  return new Response(built.offlinePage, { status: 503, headers })
}

self.addEventListener('message', (event) => {
  const asked = event.data as Asked
  if (asked.type === 'take-over') void self.skipWaiting()
  else if (asked.type === 'whose') event.ports[0]?.postMessage(asked.entry === built.entry)
  else if (asked.type === 'line') tellLine(event.source)
  else if (asked.type === 'keep') event.waitUntil(keep(event, asked))
})

/**
 * What the first page was made of passed before this worker was there; the browser still has it, so that asking for it
 * again costs next to nothing. What is fetched ahead comes last, one by one, and gives way to whatever the shopper does.
 */
async function keep(event: ExtendableMessageEvent, { seen, ahead, nepali }: Asked & { type: 'keep' }) {
  for (const address of seen) await keepOne(event, address)
  if (!ahead) return
  const empty = await at(STORES.pages, EMPTY_PAGE)
  // One of an older build would ask for files of that build.
  if (!(await empty?.text())?.includes(built.entry)) await keepPage(event, EMPTY_PAGE)
  for (const address of [...built.files, ...(nepali ? built.nepali : [])]) {
    // A newer version cannot take over before this is done, and needs none of it.
    if (self.registration.installing ?? self.registration.waiting) return
    await keepOne(event, address)
  }
}

async function keepOne(event: ExtendableEvent, address: string) {
  const url = new URL(address, location.origin)
  const kind = url.origin === location.origin ? kindOf(url) : undefined
  if (kind === 'pages') await keepPage(event, address)
  if ((kind !== 'files' && kind !== 'pictures') || (await at(STORES[kind], address))) return
  // A line that breaks here is no harm: the next visit goes on from there.
  const request = new Request(url, { priority: 'low' })
  await Promise.all(strategies[kind].handleAll({ event, request })).catch(() => {})
}

async function keepPage(event: ExtendableEvent, address: string) {
  const request = new Request(new URL(address, location.origin), { priority: 'low' })
  await Promise.all(pages.handleAll({ event, request })).catch(() => {})
}
