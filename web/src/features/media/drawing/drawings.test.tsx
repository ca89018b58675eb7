import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import drawings from '@data/drawings.json'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { Drawing } from '@/features/media/drawing/drawing'
import { emojiName } from '@/features/media/drawing/emoji-name'
import { OUTLINES } from '@/features/media/drawing/grain-shapes'
import { type Drawing as DrawingModel, KINDS, PRINTS } from '@/features/media/drawing/model'
import { EmojiPictures } from '@/features/media/drawing/parts'

type Product = { slug: string; picture: string; nameNe: string }
type Category = Product & { products: Product[] }

const SEED = join(import.meta.dirname, '../../../../../server/seed')
const catalogue: Category[] = JSON.parse(readFileSync(join(SEED, 'catalogue.json'), 'utf8'))
const files = readdirSync(join(SEED, 'pictures'))
const table = drawings.products as Record<string, DrawingModel & { words: string[] }>

/** How the goods look, without what is written on them. */
function looks(slug: string) {
  const { words: _, label: __, sub: ___, ...drawing } = table[slug] ?? { words: [] }
  return JSON.stringify(drawing)
}

const svgOf = (drawing: DrawingModel) =>
  renderToStaticMarkup(
    <EmojiPictures value={(emoji) => emoji && `/${emojiName(emoji)}.webp`}>
      <Drawing drawing={drawing} />
    </EmojiPictures>,
  )
const hashOf = (file: string) =>
  createHash('sha256')
    .update(readFileSync(join(SEED, 'pictures', file)))
    .digest('hex')

describe('the demo shop', () => {
  const products = catalogue.flatMap((category) => category.products)

  test('every product has its own picture', () => {
    expect(products).toHaveLength(156)
    expect(products.filter(({ slug, picture }) => picture !== slug)).toEqual([])
    expect(Object.keys(table)).toEqual(products.map(({ slug }) => slug))
  })

  test.each(catalogue)('no two products of $slug look the same', ({ products: ofCategory }) => {
    const slugs = ofCategory.map(({ slug }) => slug)
    const pictures = slugs.map((slug) => hashOf(`${slug}-384.webp`))
    const drawn = slugs.map((slug) => svgOf({ ...(table[slug] as DrawingModel), label: '', sub: '' }))

    expect(new Set(slugs.map(looks)).size, 'their parameters').toBe(slugs.length)
    expect(new Set(drawn).size, 'their drawings, without the words on them').toBe(slugs.length)
    expect(new Set(pictures).size, 'their files').toBe(slugs.length)
  })

  test('there is a small file of each picture in each width, and no other file', () => {
    const names = [...catalogue, ...products].flatMap(({ slug }) => [`${slug}-144.webp`, `${slug}-384.webp`])
    expect(files.sort()).toEqual(names.sort())
    const sizes = files.map((file) => readFileSync(join(SEED, 'pictures', file)).length)
    expect(Math.max(...sizes)).toBeLessThan(16_000)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(2_500_000)
  })

  test('every product is drawn with known kinds, prints and grains', () => {
    for (const [slug, { kind, print, grain, emblem }] of Object.entries(table)) {
      expect(KINDS, slug).toContain(kind)
      if (print) expect(PRINTS, slug).toContain(print)
      if (grain) expect([...Object.keys(OUTLINES), 'powder'], slug).toContain(grain.shape)
      if (kind === 'emoji') expect(emblem, slug).toBeTruthy()
    }
  })
})

test('every emoji that a drawing may need is there, and no other', () => {
  const named = [drawings.categories, drawings.products, drawings.others]
    .flatMap((part): { emblem?: string }[] => Object.values(part))
    .flatMap(({ emblem }) => (emblem ? [`${emojiName(emblem)}.webp`] : []))
  const folder = join(import.meta.dirname, '../../../assets/emoji')
  expect(readdirSync(folder).sort()).toEqual([...new Set(named)].sort())
})

test('the words on a drawing are text, whatever they contain', () => {
  const svg = svgOf({ kind: 'carton', color: '#c0392b', label: '<script>alert(1)</script>', pack: '"1 kg"' })
  expect(svg).not.toContain('<script')
  expect(svg).toContain('&lt;script&gt;')
})

test('a drawing has nothing that the content security policy forbids', () => {
  for (const kind of KINDS) {
    const svg = svgOf({
      kind,
      color: '#c0392b',
      accent: '#ffffff',
      label: 'चामल',
      pack: '1 kg',
      emblem: '🌾',
    })
    expect(svg, kind).not.toMatch(/\sstyle=|<style|<script|\son\w+=/)
    expect(svg, kind).toContain('aria-hidden="true"')
  }
})

test('drawings on one page do not share ids', () => {
  const svg = renderToStaticMarkup(
    KINDS.map((kind) => (
      <Drawing key={kind} drawing={{ kind, color: '#2f7fb8', tint: { hue: 10 }, label: 'Salt' }} />
    )),
  )
  const ids = [...svg.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
  const used = [...svg.matchAll(/url\(#([^)]+)\)/g)].map(([, id]) => id)
  expect(ids.length).toBeGreaterThan(50)
  expect(new Set(ids).size).toBe(ids.length)
  expect(used.filter((id) => !ids.includes(id))).toEqual([])
})
