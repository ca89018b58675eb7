import { existsSync } from 'node:fs'
import { join } from 'node:path'
import catalogue from '@seed/catalogue.json'
import { expect, test } from 'vitest'
import {
  emblemOf,
  findStarterProducts,
  missingCategories,
  type StarterProduct,
  starterFile,
} from '@/features/catalogue/seller/starter-catalogue'
import { emojiName } from '@/features/media/drawing/emoji-name'

const rice = findStarterProducts('jeera masino')[0] as StarterProduct

test.each(['rice', 'चामल', 'chamal', 'CHAMAL '])('%s finds rice', (text) => {
  expect(findStarterProducts(text)).toContain(rice)
})

test('every word must fit, and no word fits everything', () => {
  expect(findStarterProducts('masino xyzzy')).toEqual([])
  expect(findStarterProducts('')).toHaveLength(156)
})

test('the file has a row for each product, with the seller’s price and stock', async () => {
  const text = await starterFile([{ product: rice, price: ' 540 ', stock: '12' }]).text()
  const [head, row, ...others] = text.split('\r\n')
  expect(head).toBe(
    'name,name_ne,category,description,description_ne,price,stock,tags,tags_ne,aliases,unit_amount,unit_measure,unit_label,unit_label_ne,tax_class',
  )
  expect(row).toMatch(/^"Jeera Masino Rice","जीरा मसिनो चामल","Rice & Grains",/)
  expect(row).toContain(',"540","12","staple | rice",')
  expect(row).toMatch(/,"5","kg","5 kg bag","५ केजी बोरा","exempt"$/)
  expect(others).toEqual([])
})

test('a quotation mark in a text is doubled', async () => {
  const text = await starterFile([
    { product: { ...rice, name: 'The "best" rice' }, price: '1', stock: '1' },
  ]).text()
  expect(text).toContain('"The ""best"" rice"')
})

test('only categories that the shop does not have are added, each once', () => {
  const [dal] = findStarterProducts('masoor') as [StarterProduct]
  const lines = [rice, rice, dal].map((product) => ({ product, price: '1', stock: '1' }))
  expect(missingCategories(lines, [{ name: 'rice & grains' }]).map(({ name }) => name)).toEqual([
    'Pulses & Lentils',
  ])
})

test('every category has a picture', () => {
  const folder = join(import.meta.dirname, '../../../assets/emoji')
  for (const { picture } of catalogue)
    expect(existsSync(join(folder, `${emojiName(emblemOf(picture))}.webp`)), picture).toBe(true)
})
