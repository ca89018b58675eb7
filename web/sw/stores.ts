import { CacheExpiration, CacheFirst, ExpirationPlugin, NetworkFirst, type SerwistPlugin } from 'serwist'
import { pageAddress, STORES } from '../src/lib/kept.ts'
import { nothingCame, somethingCame } from './line.ts'

const DAY_SECONDS = 24 * 60 * 60
/** How long a page or an answer may be on its way before what is kept is shown instead. */
export const PATIENCE_SECONDS = 3
const anyForm = { ignoreVary: true }

const LIMITS = {
  files: { maxEntries: 220, maxAgeSeconds: 60 * DAY_SECONDS },
  pages: { maxEntries: 40, maxAgeSeconds: 30 * DAY_SECONDS },
  answers: { maxEntries: 80, maxAgeSeconds: 30 * DAY_SECONDS },
  pictures: { maxEntries: 150, maxAgeSeconds: 30 * DAY_SECONDS },
}

const limited = (store: keyof typeof STORES) =>
  new ExpirationPlugin({
    ...LIMITS[store],
    maxAgeFrom: store === 'files' || store === 'pictures' ? 'last-used' : 'last-fetched',
    purgeOnQuotaError: true,
    matchOptions: anyForm,
  })

/** Only whole answers that everybody would get: whatever the server calls private or not to be stored is not kept. */
function mayKeep(response: Response): boolean {
  const caching = response.headers.get('cache-control') ?? ''
  return (
    response.status === 200 &&
    response.type === 'basic' &&
    !response.redirected &&
    !/no-store|private/i.test(caching)
  )
}

export const dateOf = (response: Response) => response.headers.get('date') ?? new Date().toUTCString()

/** So old may be what stands in for an answer that is merely slow. Without a network, age does not matter: the page tells it. */
const YOUNG_MS = 10 * 60_000
export const isYoung = (heard: number) => Date.now() - heard < YOUNG_MS

/**
 * A slow line is not a broken one: old prices must not take the place of those that are on their way. The first time that the
 * copy is asked for after the patience is over is the patience itself; asked for earlier or again, the network has failed.
 */
const notOldWhileComing: SerwistPlugin = {
  handlerWillStart: async ({ state }) => {
    if (state) state.began = Date.now()
  },
  cachedResponseWillBeUsed: async ({ cachedResponse, state }) => {
    const waited = Date.now() - Number(state?.began ?? 0)
    const isLate = waited >= PATIENCE_SECONDS * 1000 - 20 && !state?.asked
    if (state) state.asked = true
    if (!isLate) void nothingCame()
    if (!isLate || !cachedResponse) return cachedResponse
    return isYoung(Date.parse(dateOf(cachedResponse))) ? cachedResponse : undefined
  },
}

const onlyPublic: SerwistPlugin = {
  cacheWillUpdate: async ({ response }) => {
    somethingCame()
    return mayKeep(response) ? response : null
  },
}

/** The pictures that the catalogue names, by the folder they are in. A person's photo looks just like them from outside. */
const shown = new Set<string>()
/** What is being read for them at this moment: a picture may well arrive before the page that shows it has ended. */
const reading = new Set<Promise<unknown>>()

const PICTURE = /\/media\/[\da-f-]+\//g

function note(text: string) {
  for (const [folder] of text.matchAll(PICTURE)) shown.add(folder)
}

/** Once in a worker's life: what comes later is noted as it passes. */
let recalled: Promise<void> | undefined

async function recall() {
  for (const name of [STORES.answers, STORES.pages]) {
    const store = await caches.open(name)
    for (const kept of await store.matchAll()) note(await kept.text())
  }
}

async function isOfTheCatalogue(address: string): Promise<boolean> {
  const [folder = ''] = address.match(PICTURE) ?? []
  if (!shown.has(folder)) await Promise.all(reading)
  if (!shown.has(folder)) {
    recalled ??= recall()
    await recalled
  }
  return shown.has(folder)
}

/** Reads what passes, without holding it up. */
function read(response: Response, then: (text: string) => Promise<unknown> | undefined = () => undefined) {
  const done = response.text().then((text) => {
    note(text)
    return then(text)
  })
  reading.add(done)
  return done.finally(() => reading.delete(done))
}

/** A page brings the answers it would ask for first (`#first-data`): they are kept as if they had been asked for. */
async function unpack(html: string, date: string) {
  const [, json] = html.match(/id="first-data">(.*?)<\/script>/s) ?? []
  const { responses = {} } = JSON.parse(json ?? '{}') as { responses?: Record<string, unknown> }
  for (const [address, answer] of Object.entries(responses)) await keepAnswer(address, answer, date)
}

const answersLimit = limited('answers')

/** Puts down an answer that did not come by itself. */
export async function keepAnswer(address: string, answer: unknown, date: string) {
  const request = new Request(new URL(address, location.origin))
  const headers = { 'content-type': 'application/json', date }
  const store = await caches.open(STORES.answers)
  await store.put(request, new Response(JSON.stringify(answer), { headers }))
  await answersLimit.cacheDidUpdate({ cacheName: STORES.answers, request } as Parameters<
    typeof answersLimit.cacheDidUpdate
  >[0])
}

export const files = new CacheFirst({
  cacheName: STORES.files,
  plugins: [onlyPublic, limited('files')],
  matchOptions: anyForm,
})

export const pictures = new CacheFirst({
  cacheName: STORES.pictures,
  plugins: [
    onlyPublic,
    {
      cacheWillUpdate: async ({ request, response }) =>
        (await isOfTheCatalogue(request.url)) ? response : null,
    },
    limited('pictures'),
  ],
  matchOptions: anyForm,
})

export const answers = new NetworkFirst({
  cacheName: STORES.answers,
  networkTimeoutSeconds: PATIENCE_SECONDS,
  plugins: [
    notOldWhileComing,
    onlyPublic,
    {
      cacheWillUpdate: async ({ response }) => {
        await read(response.clone())
        return response
      },
    },
    answersLimit,
  ],
  matchOptions: anyForm,
})

export const pages = new NetworkFirst({
  cacheName: STORES.pages,
  networkTimeoutSeconds: PATIENCE_SECONDS,
  plugins: [
    notOldWhileComing,
    onlyPublic,
    {
      cacheKeyWillBeUsed: async ({ request }) =>
        new URL(pageAddress(new URL(request.url)), location.origin).href,
      cacheWillUpdate: async ({ response }) => {
        await read(response.clone(), (html) => unpack(html, dateOf(response)))
        return response
      },
    },
    limited('pages'),
  ],
  matchOptions: anyForm,
})

/** Forgets what was looked at here. The shop's own files stay: they say nothing about anybody. */
export async function forget() {
  shown.clear()
  for (const store of ['pages', 'answers', 'pictures'] as const) {
    await caches.delete(STORES[store])
    await new CacheExpiration(STORES[store], LIMITS[store]).delete()
  }
}
