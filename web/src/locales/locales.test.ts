import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { describe, expect, test } from 'vitest'
import { activateLang, t } from '@/lib/i18n'
import { partOf } from '../../build/compiled-messages.ts'

// From disk, because an import would hand over the compiled form.
const read = (lang: string): Record<string, string> =>
  JSON.parse(readFileSync(join(import.meta.dirname, `${lang}.json`), 'utf8'))
const en = read('en')
const ne = read('ne')

describe('the words of the shop', () => {
  test('Nepali says everything English says, and nothing more', () => {
    expect(Object.keys(ne).sort()).toEqual(Object.keys(en).sort())
    expect(Object.entries(ne).filter(([, text]) => text.trim() === '')).toEqual([])
  })

  /** Read the same in both languages: a name, a sign, or nothing but what is put in. */
  const ALIKE = ['footer.rights', 'product.perUnit', 'shell.title', 'seller.imports.startedBy']

  test('every Nepali text is Nepali, and nothing waits for its translator', () => {
    const words = Object.entries(ne).filter(([key]) => !ALIKE.includes(key))
    expect(words.filter(([, text]) => !/\p{Script=Devanagari}/u.test(text))).toEqual([])
    expect(words.filter(([key, text]) => text === en[key])).toEqual([])
    expect(ALIKE.filter((key) => ne[key] !== en[key])).toEqual([])
    expect(Object.values({ ...en, ...ne }).filter((text) => /TODO|FIXME|XXX/.test(text))).toEqual([])
  })

  /** What Nepali texts may say in Latin letters: names of makers and files, keys of a keyboard, columns of a spreadsheet. */
  const LATIN =
    /^(?:PNG|JPG|JPEG|GIF|WebP|MB|CSV|UTF|COD|Enter|Khalti|slug|name|category|price|stock_was|version|https|offers|key)$/

  test('no English word is left in a Nepali sentence', () => {
    const found = Object.entries(ne).flatMap(([key, text]) => {
      const said = text.replace(/\{\w+(?:, plural,)?|\b(?:other|one)\b/g, ' ')
      const words = (said.match(/[A-Za-z_]{2,}/g) ?? []).filter((word) => !LATIN.test(word))
      return words.length > 0 ? [`${key}: ${words.join(' ')}`] : []
    })
    expect(found).toEqual([])
  })

  test('a sentence that the server says too has the same Nepali there', () => {
    const [english, nepali] = ['en', 'ne'].map((lang) => {
      const file = join(import.meta.dirname, `../../../data/messages/${lang}.json`)
      return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
    })
    const server = Object.entries(english ?? {}).map(([id, text]) => [text, nepali?.[id] ?? ''] as const)
    const both = server.filter(([english]) => Object.values(en).includes(english))
    expect(both.length).toBeGreaterThan(30)
    const different = both.filter(
      ([english, nepali]) => !Object.keys(en).some((key) => en[key] === english && ne[key] === nepali),
    )
    expect(different).toEqual([])
  })

  test('one way of writing each word', () => {
    const TWICE = [/नि:शुल्क/, /छौं/, /दैनौं/, /काठमाडौं/]
    const found = Object.entries(ne).filter(([, text]) => TWICE.some((other) => other.test(text)))
    expect(found).toEqual([])
  })

  test.each(Object.keys(en))('%s names the same things in both languages', (key) => {
    expect(placeholders(ne[key] ?? '')).toEqual(placeholders(en[key] ?? ''))
  })
})

describe('words that travel with their screens', () => {
  const src = join(import.meta.dirname, '..')
  const HOME = {
    about: /^pages\/storefront\/about-page/,
    account:
      /^(features\/(accounts|addresses|media|seller)\/|features\/catalogue\/seller\/|features\/orders\/(cancel-order|seller\/)|ui\/(confirm-dialog|error-summary|field|submit-button)\.|pages\/(seller|storefront\/(add-address|cancel-email-change|confirm-email|profile|reset-password)-page))/,
    ad: /^ui\/ad-slot\./,
    cart: /^(features\/(cart|orders)\/|pages\/storefront\/cart-page)/,
    catalogue:
      /^(features\/(cart\/(add-to-cart|buy-box)|catalogue\/(category-|highlight|price|product-|stock))|ui\/(breadcrumb|stars)\.|pages\/storefront\/(categories|category|home|product|products)-page)/,
    freeShipping: /^features\/cart\/(cart-bar|free-shipping)\./,
    newsletter: /^(features\/newsletter\/|pages\/storefront\/offers-page)/,
    offline: /^app\/(register-service-worker|offline-bar)\./,
    offlinePage: /^$/,
    orderDetails:
      /^features\/orders\/(buy-again|cancel-order|order-details|order-parts|order-payment|order-problem|payment-messages|place-order|redirect-to-wallet|seller\/)/,
    orders: /^(features\/orders\/|pages\/(seller\/(orders|delivery)|storefront\/orders)-page)/,
    payment: /^(features\/payments\/|pages\/storefront\/payment-page)/,
    seller: /^((features|pages)\/seller\/|features\/orders\/seller\/)/,
    sellerCatalogue:
      /^(features\/catalogue\/|pages\/seller\/((product-list|add-product|categories|import)-page|seller-layout))/,
    sellerImports:
      /^(features\/catalogue\/seller\/(csv-field|import-|recent-imports)|pages\/seller\/(import-page|seller-layout))/,
    // The layout names the page that is loaded together with it, and the messages of that page come along.
    sellerOrders: /^(features\/orders\/seller\/|pages\/seller\/(seller-layout|(orders|delivery)-page))/,
    sellerPayments: /^(features\/orders\/seller\/|pages\/seller\/(attention|money)-page)/,
    sellerShop:
      /^(features\/(newsletter|orders|shop)\/seller\/|features\/seller\/|pages\/seller\/(searchable-list|(overview|settings|newsletter|audit|security)-page))/,
    stepper: /^features\/cart\/add-to-cart\./,
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
