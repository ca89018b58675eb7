import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { describe, expect, test } from 'vitest'
import { activateLang, t } from '@/lib/i18n'
import register from '@/test/spec-copy.json'
import { partOf } from '../../build/compiled-messages.ts'

// From disk, because an import would hand over the compiled form.
const read = (lang: string): Record<string, string> =>
  JSON.parse(readFileSync(join(import.meta.dirname, `${lang}.json`), 'utf8'))
const en = read('en')
const ne = read('ne')

describe('the words of the shop', () => {
  const promised = register.filter(({ key }) => key in en)

  test('the register covers these screens', () => {
    expect(promised.length).toBeGreaterThan(40)
  })

  test.each(promised)('$key is written exactly as promised', ({ key, en: english, ne: nepali }) => {
    expect(en[key]).toBe(english)
    expect(ne[key]).toBe(nepali)
  })

  test('Nepali says everything English says, and nothing more', () => {
    expect(Object.keys(ne).sort()).toEqual(Object.keys(en).sort())
    expect(Object.entries(ne).filter(([, text]) => text.trim() === '')).toEqual([])
  })

  test.each(Object.keys(en))('%s names the same things in both languages', (key) => {
    expect(placeholders(ne[key] ?? '')).toEqual(placeholders(en[key] ?? ''))
  })
})

describe('words that travel with their screens', () => {
  const src = join(import.meta.dirname, '..')
  const HOME = {
    about: /^pages\/storefront\/about-page/,
    ad: /^ui\/ad-slot\./,
    bar: /^features\/cart\/(cart-bar|free-shipping)\./,
    desk: /^(features\/orders\/seller-|pages\/seller\/seller-(orders|delivery)-page)/,
    office:
      /^(features\/(newsletter|orders|seller|shop)\/seller-|pages\/seller\/seller-(overview|settings|newsletter|audit)-page)/,
    shelves:
      /^(features\/catalogue\/|pages\/seller\/(product-list|add-product|seller-categories|import)-page)/,
    cart: /^(features\/(cart|orders)\/|pages\/storefront\/cart-page)/,
    news: /^(features\/newsletter\/|pages\/storefront\/offers-page)/,
    order:
      /^features\/orders\/(buy-again|cancel-order|order-details|order-parts|order-payment|payment-words|place-order|refusal|seller-|to-wallet)/,
    orders: /^(features\/orders\/|pages\/(seller\/seller-(orders|delivery)|storefront\/orders)-page)/,
    payment: /^(features\/payments\/|pages\/storefront\/payment-page)/,
    people:
      /^(features\/(accounts|addresses|media|seller)\/|features\/catalogue\/seller-|features\/orders\/(cancel-order|seller-)|ui\/(confirm-dialog|error-summary|field|submit-button)\.|pages\/(seller|storefront\/(add-address|confirm-email|profile|reset-password)-page))/,
    piece: /^features\/cart\/add-to-cart\./,
    shelf:
      /^(features\/(cart\/(add-to-cart|buy-box)|catalogue\/(category-|highlight|price|product-|stock))|ui\/(breadcrumb|stars)\.|pages\/storefront\/(categories|category|home|product|products)-page)/,
    wallet: /^(features\/orders\/seller-|pages\/seller\/seller-(attention|money)-page)/,
    seller: /^((features|pages)\/seller\/|features\/orders\/seller-)/,
  }
  const files = readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /\.tsx?$/.test(file.name) && !/\.test\.tsx?$/.test(file.name))
    .map((file) => relative(src, join(file.parentPath, file.name)))

  test.each(files)('%s says nothing that is not there yet', (path) => {
    const said = [...readFileSync(join(src, path), 'utf8').matchAll(/['"`]([\w.]+)['"`]/g)].map(
      ([, id = '']) => id,
    )
    const astray = said.filter((id) => {
      const part = id in en ? partOf(id) : undefined
      return part !== undefined && !HOME[part as keyof typeof HOME].test(path)
    })
    expect(astray).toEqual([])
  })

  test('in Nepali every refusal of the server that we know has its sentence, and English keeps the server\u2019s own', async () => {
    const people = (await import('@/locales/en.json?part=people')).default
    expect(Object.keys(people).filter((id) => id.startsWith('server.'))).toEqual([])
    expect(Object.keys(ne).filter((id) => id.startsWith('server.')).length).toBeGreaterThan(15)
  })
})

test('counts read right in both languages, digits included', async () => {
  expect(t('products.count', { n: 1 })).toBe('1 product')
  expect(t('products.count', { n: 24 })).toBe('24 products')
  expect(t('cart.link', { n: 0 })).toBe('Cart, empty')
  await activateLang('ne')
  expect(t('products.count', { n: 24 })).toBe('२४ सामान')
  expect(t('product.rated', { n: 12, rating: '४.६' })).toBe('५ मा ४.६ मूल्याङ्कन, १२ समीक्षा')
  expect(document.documentElement.lang).toBe('ne')
  await activateLang('en')
})

function placeholders(text: string): string[] {
  const found = new Set<string>()
  const walk = (tokens: unknown) => {
    if (!Array.isArray(tokens)) return
    for (const token of tokens) {
      if (!Array.isArray(token)) continue
      found.add(String(token[0]))
      for (const branch of Object.values((token[2] ?? {}) as Record<string, unknown>)) walk(branch)
    }
  }
  walk(compileMessage(text))
  return [...found].sort()
}
