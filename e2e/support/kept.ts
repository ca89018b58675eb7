import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page } from '@playwright/test'
import { shopUrl } from './api.ts'

/** Everything that a device keeps of the shop, address by address, as its service worker has put it down. */
export function keptAddresses(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
    const requests = (await Promise.all(stores.map((store) => store.keys()))).flat()
    return requests.map(({ url }) => url.replace(location.origin, ''))
  })
}

export function keptTexts(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
    const answers = (await Promise.all(stores.map((store) => store.matchAll()))).flat()
    return Promise.all(answers.map((answer) => answer.text()))
  })
}

/** Waits until the service worker looks after this page. */
export async function lookedAfter(page: Page) {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
}

/** Waits until everything that is to be fetched ahead has arrived. */
export async function keptAhead(page: Page) {
  await lookedAfter(page)
  const worker = await (await fetch(`${shopUrl()}/sw.js`)).text()
  const wanted = [...worker.matchAll(/\/assets\/[\w.-]+/g)].map(([file]) => file)
  expect(wanted.length, 'the worker names files').toBeGreaterThan(20)
  // Words in Nepali are fetched ahead only for those who read it.
  const files = [...new Set(wanted)].filter((file) => !/\/ne(pali)?-/.test(file))
  await expect
    .poll(async () => {
      const kept = new Set(await keptAddresses(page))
      return ['/cart', ...files].filter((file) => !kept.has(file))
    })
    .toEqual([])
}

/** Waits until this page has been put down. */
export async function keptPage(page: Page, path: string) {
  await expect.poll(() => keptAddresses(page)).toContain(path)
}

/** A way to the shop that can hold pages back, lead nowhere, or bring another file than the shop's. */
export async function wayToTheShop() {
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
        const { 'content-length': _length, etag: _tag, ...kept } = came.headers
        answer.writeHead(other === undefined ? 500 : 200, kept)
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
    /** `undefined` stands for a server that fails. */
    exchangeWorker: (by: (text: string) => string | undefined) => {
      exchange = by
    },
    workersSent: () => sent,
    /** From now on these pages are on their way, until the function that this answers with is called. */
    holdBack: (...paths: string[]) => {
      const { promise: until, resolve: letThrough } = Promise.withResolvers<void>()
      held = { paths, until, count: 0 }
      return () => {
        held.paths = []
        letThrough()
      }
    },
    heldBack: () => held.count,
    /** As on a Wi-Fi without internet: the device is connected, and nothing comes. */
    leadNowhere: (yes: boolean) => {
      leadsNowhere = yes
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
