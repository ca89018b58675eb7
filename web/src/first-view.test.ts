import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readMessages } from '@/test/messages'

/**
 * The server renders these templates before React loads. It cannot check message ids and classes, so this test does.
 */
const folder = join(import.meta.dirname, '../first-view')
const templates = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(join(folder, name), 'utf8'),
}))

const en = readMessages('en')

const styles = readdirSync(join(import.meta.dirname, 'styles'))
  .filter((name) => name.endsWith('.css'))
  .map((name) => readFileSync(join(import.meta.dirname, 'styles', name), 'utf8'))
  .join('\n')

/** Classes that React needs or that serve as names only; they have no styles. */
const UNSTYLED = [
  'shell',
  'cart-link',
  'footer-brand',
  'product-page',
  'buy-box',
  'newsletter-form',
  'filter-name',
  'filter-sort',
]

describe('the first view', () => {
  test('there is one for every kind of page', () => {
    const pages = [
      'home',
      'products',
      'categories',
      'category',
      'product',
      'offers',
      'about',
      'not-found',
      'plain',
      'seller',
    ]
    expect(templates.map(({ name }) => name)).toEqual(
      expect.arrayContaining(pages.map((page) => `${page}.html`)),
    )
  })

  test.each(templates)('$name says only what both languages can say', ({ text }) => {
    const ids = [...text.matchAll(/\bt\("([^"]+)"/g)].map(([, id]) => id ?? '')
    expect(ids.filter((id) => !(id in en))).toEqual([])
  })

  test.each(templates)('$name wears only classes the style sheets know', ({ text }) => {
    const plain = text.replace(/\{%.*?%\}/gs, ' ')
    const classes = [...plain.matchAll(/class="([^"{]+)/g)].flatMap(([, names]) =>
      (names ?? '').trim().split(/\s+/),
    )
    const unknown = classes.filter(
      (name) => !name.endsWith('-') && !UNSTYLED.includes(name) && !styles.includes(`.${name}`),
    )
    expect(unknown).toEqual([])
  })

  test.each(templates)('$name has nothing inline that the content security policy forbids', ({ text }) => {
    expect(text).not.toMatch(/\sstyle=|<style|<script|\son\w+=/i)
  })
})
