import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { render } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { readMessages } from '@/test/messages'

/**
 * The server renders the templates in web/first-view before React loads. Its test (server/src/site/view_fixtures.rs)
 * writes what it renders from fixed data to test/first-view; here React draws the same pages from the same data, and
 * the first views must be a part of them.
 */
const templates = files(join(import.meta.dirname, '../first-view'))
const firstViews = files(join(import.meta.dirname, 'test/first-view'))

function files(folder: string) {
  return readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
}

/** What only React draws before or between the boxes of a first view; none of it moves a box on the first screen. */
const ADDED = [
  '.sr-only',
  '.toaster',
  // These are empty while the connection works.
  '.shell > :empty',
  '.seller-main > :empty',
  // The icons of the footer's contact, which is below the first screen.
  'address svg',
  // The seller's name and menu are known only after the session check.
  '.seller-tools > *',
]
/** Attributes that must be the same wherever a first view has them. */
const ATTRIBUTES = ['href', 'src', 'srcset', 'sizes', 'alt', 'width', 'height', 'loading', 'viewBox', 'd']
const STATES = ['aria-current', 'data-stock', 'data-empty', 'disabled', 'placeholder', 'role']

const classes = (element: Element) =>
  // The router marks links to the current page with a class that has no styles.
  [...element.classList].filter((name) => name !== 'active').sort()
const looksLike = (first: Element, drawn: Element) =>
  first.tagName === drawn.tagName && classes(first).join() === classes(drawn).join()
const ownText = (element: Element) =>
  [...element.childNodes]
    .filter((node) => node.nodeType === 3)
    .map((node) => node.textContent)
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
const describeElement = (element: Element) =>
  `${element.tagName.toLowerCase()}${classes(element)
    .map((name) => `.${name}`)
    .join('')}`

/** Every difference between a box of the first view and the box that React draws in its place. */
function differences(first: Element, drawn: Element, path = ''): string[] {
  const here = `${path} > ${describeElement(first)}`
  // Only the device knows how many products are in the cart.
  const label = first.matches('.cart-link') ? [] : ['aria-label']
  const attributes = [...ATTRIBUTES, ...STATES, ...label].flatMap((name) => {
    const [was, is] = [first.getAttribute(name), drawn.getAttribute(name)]
    return was === null || was === is ? [] : [`${here}: ${name} is ${was}, and in React ${is}`]
  })
  const [text, drawnText] = [ownText(first), ownText(drawn)]
  // An empty line keeps the place of a text that React adds.
  const texts = text && text !== drawnText ? [`${here}: '${text}', and in React '${drawnText}'`] : []
  const rest = [...drawn.children]
  const inside = [...first.children].flatMap((child) => {
    const index = rest.findIndex((candidate) => looksLike(child, candidate))
    const counterpart = rest[index]
    if (!counterpart) return [`${here}: React does not draw ${describeElement(child)} there`]
    const before = rest.splice(0, index + 1).slice(0, -1)
    const moved = before
      .filter((extra) => !ADDED.some((selector) => extra.matches(selector)))
      .map((extra) => `${here}: React draws ${describeElement(extra)} before ${describeElement(child)}`)
    return [...moved, ...differences(child, counterpart, here)]
  })
  return [...attributes, ...texts, ...inside]
}

/** Draws the page with the app's own router, as main.tsx does, and returns its root. */
async function drawPage(path: string, lang: 'en' | 'ne') {
  history.replaceState(null, '', path)
  vi.resetModules()
  const [{ router }, { queryClient }, i18n] = await Promise.all([
    import('@/app/router'),
    import('@/api/query-client'),
    import('@/lib/i18n'),
  ])
  await Promise.all([i18n.activateLang(lang), router.load()])
  const { container } = render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return container
}

function setSessionHint(more = '') {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in happy-dom
  document.cookie = `seller_session=1; path=/; ${more}`
}

const UNKNOWN = { success: false, code: 'not_found', message: '' }

describe('React draws every box of the first view in its place', () => {
  afterEach(() => {
    setSessionHint('max-age=0')
    document.body.innerHTML = ''
    history.replaceState(null, '', '/')
  })

  test.each(firstViews)('$name', async ({ name, text }) => {
    document.body.innerHTML = text
    const first = document.getElementById('root') as HTMLElement
    const { lang, responses } = JSON.parse(document.getElementById('first-data')?.textContent ?? '{}')
    vi.stubGlobal('fetch', async (request: Request) => {
      const { pathname, search } = new URL(request.url)
      const response = responses[pathname + search]
      // The first view of the dashboard is shown until the session check has finished.
      if (pathname === '/api/seller/checkSeller') return new Promise(() => {})
      return Response.json(response ?? UNKNOWN, { status: response ? 200 : 404 })
    })
    // A browser that has a session gets the frame of the dashboard.
    if (name.startsWith('seller.')) setSessionHint()
    const drawn = await drawPage(first.dataset.path ?? '/', lang)
    await vi.waitFor(() => expect(differences(first, drawn)).toEqual([]), { timeout: 25_000 })
  })
})

test('a first view that differs from React is noticed', () => {
  const box = (html: string) => {
    const root = document.createElement('div')
    root.innerHTML = html
    return root
  }
  const compare = (first: string, drawn: string) => differences(box(first), box(drawn)).length
  const card = '<article class="card"><h3><a href="/a">Oil</a></h3><p class="meta">4.6</p></article>'

  expect(compare('<article class="card"><h3><a href="/a">Oil</a></h3></article>', card)).toBe(0)
  expect(compare('<article class="card"><h3><a href="/b">Oil</a></h3></article>', card)).toBe(1)
  expect(compare('<article class="card"><h3><a href="/a">Ghee</a></h3></article>', card)).toBe(1)
  expect(compare('<article class="box"><h3><a href="/a">Oil</a></h3></article>', card)).toBe(1)
  expect(compare('<article class="card"><a href="/a">Oil</a></article>', card)).toBe(1)
  expect(compare('<article class="card"><p class="meta">&nbsp;</p></article>', card), 'a box above it').toBe(
    1,
  )
})

describe('the templates', () => {
  const en = readMessages('en')

  test.each(templates)('$name uses only messages that exist', ({ text }) => {
    const ids = [...text.matchAll(/\bt\("([^"]+)"(?! ~)/g)].map(([, id]) => id ?? '')
    expect(ids.filter((id) => !(id in en))).toEqual([])
  })

  test.each(templates)('$name has nothing inline that the content security policy forbids', ({ text }) => {
    expect(text).not.toMatch(/\sstyle=|<style|<script|\son\w+=/i)
  })

  test('every page has a first view that is compared', () => {
    const pages = templates
      .map(({ name }) => name.replace('.html', ''))
      .filter((name) => name !== 'shell' && !name.startsWith('part-'))
    for (const page of pages)
      for (const lang of ['en', 'ne'])
        expect(firstViews.map(({ name }) => name)).toContain(`${page}.${lang}.html`)
  })
})
