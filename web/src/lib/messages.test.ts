import { compileMessage } from '@lingui/message-utils/compileMessage'
import { describe, expect, test } from 'vitest'
import { activateLang, t } from '@/lib/i18n'
import { messageParts, readMessages, readPart, readTexts } from '@/test/messages'

const en = readMessages('en')
const ne = readMessages('ne')

describe('the words of the shop', () => {
  test('Nepali says everything English says, and nothing more', () => {
    expect(messageParts('ne')).toEqual(messageParts('en'))
    for (const part of messageParts('en')) {
      const ids = Object.keys(readPart(part, 'en'))
      expect(ids).toEqual(ids.toSorted())
      expect(Object.keys(readPart(part, 'ne'))).toEqual(ids)
    }
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
    /^(?:PNG|JPG|JPEG|GIF|WebP|CSV|ZIP|UTF|COD|Enter|Khalti|slug|name|category|price|stock_was|version|image|more_images|https|offers|key)$/

  test('no English word is left in a Nepali sentence', () => {
    const found = Object.entries(ne).flatMap(([key, text]) => {
      const said = text.replace(/\{\w+(?:, plural,)?|\b(?:other|one)\b/g, ' ')
      const words = (said.match(/[A-Za-z_]{2,}/g) ?? []).filter((word) => !LATIN.test(word))
      return words.length > 0 ? [`${key}: ${words.join(' ')}`] : []
    })
    expect(found).toEqual([])
  })

  test('a sentence that the server says too has the same Nepali there', () => {
    const english = readTexts('messages/server/en.json')
    const nepali = readTexts('messages/server/ne.json')
    const server = Object.entries(english).map(([id, text]) => [text, nepali[id] ?? ''] as const)
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

  test('what is saved is सेभ, because सुरक्षित means safe', () => {
    expect(Object.entries(ne).filter(([, text]) => /सुरक्षित (भए|भयो|गर)/.test(text))).toEqual([])
  })

  test.each(Object.keys(en))('%s names the same things in both languages', (key) => {
    expect(placeholders(ne[key] ?? '')).toEqual(placeholders(en[key] ?? ''))
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
