import { CacheExpiration, CacheFirst, ExpirationPlugin, NetworkFirst, type SerwistPlugin } from 'serwist'
import { CACHE_NAMES, pageCacheKey } from '../src/lib/offline-cache.ts'
import { reportNetworkFailure, reportNetworkSuccess } from './connection.ts'

const DAY_SECONDS = 24 * 60 * 60
/** How long a page or response may take before the cached one is used instead. */
export const NETWORK_TIMEOUT_SECONDS = 3
const ignoreVary = { ignoreVary: true }

const LIMITS = {
  files: { maxEntries: 220, maxAgeSeconds: 60 * DAY_SECONDS },
  pages: { maxEntries: 40, maxAgeSeconds: 30 * DAY_SECONDS },
  answers: { maxEntries: 80, maxAgeSeconds: 30 * DAY_SECONDS },
  pictures: { maxEntries: 150, maxAgeSeconds: 30 * DAY_SECONDS },
}

const limited = (store: keyof typeof CACHE_NAMES) =>
  new ExpirationPlugin({
    ...LIMITS[store],
    maxAgeFrom: store === 'files' || store === 'pictures' ? 'last-used' : 'last-fetched',
    purgeOnQuotaError: true,
    matchOptions: ignoreVary,
  })

/** Only complete, public responses are cached, not those that the server marks as private or no-store. */
function isCacheable(response: Response): boolean {
  const caching = response.headers.get('cache-control') ?? ''
  return (
    response.status === 200 &&
    response.type === 'basic' &&
    !response.redirected &&
    !/no-store|private/i.test(caching)
  )
}

export const dateOf = (response: Response) => response.headers.get('date') ?? new Date().toUTCString()

/**
 * The maximum age of a cached response that replaces a slow one. Offline, any age is fine, because the page shows it.
 */
const FRESH_MS = 10 * 60_000
export const isFresh = (heard: number) => Date.now() - heard < FRESH_MS

/**
 * A slow connection is not a broken one: old prices must not replace those that are still loading. The first cache
 * lookup after the timeout comes from the timeout itself; an earlier or repeated lookup means that the network has
 * failed.
 */
const noStaleWhileLoading: SerwistPlugin = {
  handlerWillStart: async ({ state }) => {
    if (state) state.began = Date.now()
  },
  cachedResponseWillBeUsed: async ({ cachedResponse, state }) => {
    const waited = Date.now() - Number(state?.began ?? 0)
    const isLate = waited >= NETWORK_TIMEOUT_SECONDS * 1000 - 20 && !state?.asked
    if (state) state.asked = true
    if (!isLate) void reportNetworkFailure()
    if (!isLate || !cachedResponse) return cachedResponse
    return isFresh(Date.parse(dateOf(cachedResponse))) ? cachedResponse : undefined
  },
}

const cacheableOnly: SerwistPlugin = {
  cacheWillUpdate: async ({ response }) => {
    reportNetworkSuccess()
    return isCacheable(response) ? response : null
  },
}

/**
 * The folders of the pictures in the catalogue. The URL of a person's photo looks the same, so only these may be
 * cached.
 */
const cataloguePictures = new Set<string>()
/** Responses that are being read for pictures: a picture may arrive before the page that shows it is complete. */
const reading = new Set<Promise<unknown>>()

const PICTURE = /\/media\/[\da-f-]+\//g

function noteCataloguePictures(text: string) {
  for (const [folder] of text.matchAll(PICTURE)) cataloguePictures.add(folder)
}

/** Done once per worker: later pictures are recorded as they arrive. */
let cachedPicturesRead: Promise<void> | undefined

async function readCachedPictures() {
  for (const name of [CACHE_NAMES.answers, CACHE_NAMES.pages]) {
    const store = await caches.open(name)
    for (const kept of await store.matchAll()) noteCataloguePictures(await kept.text())
  }
}

async function isCataloguePicture(address: string): Promise<boolean> {
  const [folder = ''] = address.match(PICTURE) ?? []
  if (!cataloguePictures.has(folder)) await Promise.all(reading)
  if (!cataloguePictures.has(folder)) {
    cachedPicturesRead ??= readCachedPictures()
    await cachedPicturesRead
  }
  return cataloguePictures.has(folder)
}

/** Reads a response for pictures without delaying it. */
function readText(
  response: Response,
  then: (text: string) => Promise<unknown> | undefined = () => undefined,
) {
  const done = response.text().then((text) => {
    noteCataloguePictures(text)
    return then(text)
  })
  reading.add(done)
  return done.finally(() => reading.delete(done))
}

/**
 * A page contains the responses that it would request first (`#first-data`); they are cached as if they had been
 * requested.
 */
async function cacheFirstData(html: string, date: string) {
  const [, json] = html.match(/id="first-data">(.*?)<\/script>/s) ?? []
  const { responses = {} } = JSON.parse(json ?? '{}') as { responses?: Record<string, unknown> }
  for (const [address, answer] of Object.entries(responses)) await cacheResponse(address, answer, date)
}

const responsesLimit = limited('answers')

/** Caches a response that was not fetched by itself. */
export async function cacheResponse(address: string, answer: unknown, date: string) {
  const request = new Request(new URL(address, location.origin))
  const headers = { 'content-type': 'application/json', date }
  const store = await caches.open(CACHE_NAMES.answers)
  await store.put(request, new Response(JSON.stringify(answer), { headers }))
  await responsesLimit.cacheDidUpdate({ cacheName: CACHE_NAMES.answers, request } as Parameters<
    typeof responsesLimit.cacheDidUpdate
  >[0])
}

export const files = new CacheFirst({
  cacheName: CACHE_NAMES.files,
  plugins: [cacheableOnly, limited('files')],
  matchOptions: ignoreVary,
})

export const pictures = new CacheFirst({
  cacheName: CACHE_NAMES.pictures,
  plugins: [
    cacheableOnly,
    {
      cacheWillUpdate: async ({ request, response }) =>
        (await isCataloguePicture(request.url)) ? response : null,
    },
    limited('pictures'),
  ],
  matchOptions: ignoreVary,
})

export const answers = new NetworkFirst({
  cacheName: CACHE_NAMES.answers,
  networkTimeoutSeconds: NETWORK_TIMEOUT_SECONDS,
  plugins: [
    noStaleWhileLoading,
    cacheableOnly,
    {
      cacheWillUpdate: async ({ response }) => {
        await readText(response.clone())
        return response
      },
    },
    responsesLimit,
  ],
  matchOptions: ignoreVary,
})

export const pages = new NetworkFirst({
  cacheName: CACHE_NAMES.pages,
  networkTimeoutSeconds: NETWORK_TIMEOUT_SECONDS,
  plugins: [
    noStaleWhileLoading,
    cacheableOnly,
    {
      cacheKeyWillBeUsed: async ({ request }) =>
        new URL(pageCacheKey(new URL(request.url)), location.origin).href,
      cacheWillUpdate: async ({ response }) => {
        await readText(response.clone(), (html) => cacheFirstData(html, dateOf(response)))
        return response
      },
    },
    limited('pages'),
  ],
  matchOptions: ignoreVary,
})

/** Clears what was visited on this device. The shop's own files stay, because they reveal nothing about a person. */
export async function clearVisited() {
  cataloguePictures.clear()
  for (const store of ['pages', 'answers', 'pictures'] as const) {
    await caches.delete(CACHE_NAMES[store])
    await new CacheExpiration(CACHE_NAMES[store], LIMITS[store]).delete()
  }
}
