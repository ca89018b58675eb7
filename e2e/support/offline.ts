import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page } from '@playwright/test'
import { shopUrl } from './api.ts'

/** The URLs of all responses in the caches of the service worker. */
export function cachedUrls(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
    const requests = (await Promise.all(stores.map((store) => store.keys()))).flat()
    return requests.map(({ url }) => url.replace(location.origin, ''))
  })
}

export function cachedTexts(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
    const answers = (await Promise.all(stores.map((store) => store.matchAll()))).flat()
    return Promise.all(answers.map((answer) => answer.text()))
  })
}

/** Whether a file of the app contains Nepali messages. */
const isNepali = (file: string) => /\/(?:nepali|[\w-]+\.ne)-/.test(file)

/** Waits until the service worker controls this page. */
export async function waitForWorker(page: Page) {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
}

/** Waits until all prefetched files have been cached: those of every page, or those of a page in Nepali too. */
export async function waitForPrefetch(page: Page, { nepali = false } = {}) {
  await waitForWorker(page)
  const worker = await (await fetch(`${shopUrl()}/sw.js`)).text()
  const onlyNepali = /\bnepali:.*?,offlinePage:/s
  const english = filesIn(worker.replace(onlyNepali, ''))
  expect(english.length, 'the worker names files').toBeGreaterThan(20)
  expect(english.filter(isNepali)).toEqual([])
  const added = nepali ? filesIn(onlyNepali.exec(worker)?.[0] ?? '') : []
  expect(added.some(isNepali)).toBe(nepali)
  await waitForAllCached(page, ['/cart', ...english, ...added])
}

const filesIn = (worker: string) => [...new Set(worker.match(/\/assets\/[\w.-]+/g) ?? [])]

/** The paths of the files that this page has loaded. */
export function loadedFiles(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  )
}

/** Waits until all files of the app that this page has loaded are cached. */
export async function waitForFiles(page: Page) {
  const files = (await loadedFiles(page)).filter((path) => path.startsWith('/assets/'))
  expect(files, 'the page loads files').not.toEqual([])
  await waitForAllCached(page, files)
}

/** Waits until the Nepali messages that this page has loaded are cached. */
export async function waitForNepali(page: Page) {
  const messages = (await loadedFiles(page)).filter(isNepali)
  expect(messages, 'the page loads Nepali messages').not.toEqual([])
  await waitForAllCached(page, messages)
}

async function waitForAllCached(page: Page, files: string[]) {
  await expect
    .poll(async () => {
      const cached = new Set(await cachedUrls(page))
      return files.filter((file) => !cached.has(file))
    })
    .toEqual([])
}

/** Waits until this page has been cached. */
export async function waitForCached(page: Page, path: string) {
  await expect.poll(() => cachedUrls(page)).toContain(path)
}

/** A proxy to the shop that can delay pages, drop connections, or replace the service worker's file. */
export async function shopProxy() {
  let sent = 0
  let held = { paths: [] as string[], until: Promise.resolve(), count: 0 }
  let leadsNowhere = false
  let exchange = (text: string): string | undefined => text
  const server = createServer((asked, answer) => {
    if (leadsNowhere) return void answer.destroy()
    const { hostname, port } = new URL(shopUrl())
    const headers = { ...asked.headers, 'accept-encoding': 'identity' }
    const onward = request({ hostname, port, path: asked.url, method: asked.method, headers }, (came) => {
      if (asked.url !== '/sw.js') {
        answer.writeHead(came.statusCode ?? 502, came.headers)
        came.pipe(answer)
        return
      }
      let text = ''
      came.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      came.on('end', () => {
        const other = exchange(text)
        sent += 1
        const { 'content-length': _length, etag: _tag, ...rest } = came.headers
        answer.writeHead(other === undefined ? 500 : 200, rest)
        answer.end(other ?? '')
      })
    })
    onward.on('error', () => answer.destroy())
    if (!held.paths.includes(asked.url ?? '')) return void asked.pipe(onward)
    held.count += 1
    void held.until.then(() => asked.pipe(onward))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    /** `undefined` makes the server fail. */
    exchangeWorker: (by: (text: string) => string | undefined) => {
      exchange = by
    },
    workersSent: () => sent,
    /** Delays these pages until the returned function is called. */
    holdBack: (...paths: string[]) => {
      const { promise: until, resolve: letThrough } = Promise.withResolvers<void>()
      held = { paths, until, count: 0 }
      return () => {
        held.paths = []
        letThrough()
      }
    },
    heldBack: () => held.count,
    /** As on a Wi-Fi without internet: the device is connected, but nothing responds. */
    leadNowhere: (yes: boolean) => {
      leadsNowhere = yes
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
