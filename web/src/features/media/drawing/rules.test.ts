import drawings from '@data/drawings.json'
import { describe, expect, test } from 'vitest'
import { packSize } from '@/features/media/drawing/pack-size'
import { chooseDrawing } from '@/features/media/drawing/rules'

const same = (...names: string[]) => {
  const chosen = names.map((name) => JSON.stringify(chooseDrawing({ name })))
  expect(new Set(chosen).size, names.join(', ')).toBe(1)
  return chooseDrawing({ name: names[0] ?? '' })
}

describe('what is drawn for a product without a photo', () => {
  test('the goods are known by their English, Nepali and romanised names', () => {
    expect(same('Rice', 'Chamal', 'चामल')).toMatchObject({ kind: 'bag' })
    expect(same('Red Lentils', 'Musuro', 'मुसुरो दाल')).toMatchObject({
      kind: 'bowl',
      grain: { shape: 'lentil' },
    })
    expect(same('Beaten Rice', 'chiura', 'चिउरा (पातलो)')).toMatchObject({ kind: 'clear' })
    expect(same('Incense Sticks', 'agarbatti', 'धूप')).toMatchObject({ kind: 'incense' })
    expect(same('Gundruk', 'गुन्द्रुक')).toMatchObject({ kind: 'clear' })
    expect(same('Tomatoes', 'golbheda', 'गोलभेडा')).toMatchObject({ kind: 'emoji', emblem: '🍅' })
    expect(same('Matches', 'Salai', 'सलाई')).toMatchObject({ kind: 'matches' })
  })

  test('the Nepali name counts where the other one says nothing', () => {
    expect(chooseDrawing({ name: 'Dhara', nameNe: 'तोरीको तेल' })).toMatchObject({ kind: 'bottle' })
  })

  test('what a thing is stands last in its name', () => {
    expect(chooseDrawing({ name: 'Mango Juice' })).toMatchObject({ kind: 'carton', emblem: '🧃' })
    expect(chooseDrawing({ name: 'Coconut Biscuits' })).toMatchObject({ kind: 'packet', emblem: '🍪' })
    expect(chooseDrawing({ name: 'Wai Wai Chicken Noodles' })).toMatchObject({ kind: 'packet', emblem: '🍜' })
    expect(chooseDrawing({ name: 'Instant Noodles (Chicken)' })).toMatchObject({ emblem: '🍜' })
    expect(chooseDrawing({ name: 'Rice Cooker' })).toMatchObject({ kind: 'carton' })
    expect(chooseDrawing({ name: 'Licorice' })).not.toMatchObject({ emblem: '🌾' })
  })

  test('the pack decides about the container', () => {
    const kind = (name: string, packLabel: string) => chooseDrawing({ name, packLabel }).kind
    expect(kind('Sunflower Oil', '1 L pouch')).toBe('packet')
    expect(kind('Sunflower Oil', '1 L bottle')).toBe('bottle')
    expect(kind('Sunflower Oil', '१ लिटर बोतल')).toBe('bottle')
    expect(kind('Masoor Dal', '1 kg')).toBe('bowl')
    expect(kind('Masoor Dal', '1 kg packet')).toBe('clear')
    expect(kind('Masoor Dal', '२५ केजी बोरा')).toBe('sack')
    expect(kind('Basmati Rice', '25 kg sack')).toBe('sack')
    expect(kind('Tomato', '250 g pack')).toBe('emoji')
    expect(kind('Tomato', '500 g bottle')).toBe('bottle')
    expect(kind('Matches', '10 boxes')).toBe('matches')
    expect(kind('Cumin Seeds', '200 g packet')).toBe('clear')
  })

  test('unknown goods get a plain pack, the same one every time', () => {
    const unknown = { name: 'Zyx Special', packLabel: '200 ml' }
    expect(chooseDrawing(unknown)).toEqual(chooseDrawing(unknown))
    expect(chooseDrawing(unknown).kind).toBe('bottle')
    expect(chooseDrawing({ name: 'Zyx Special', packLabel: '1 tin' }).kind).toBe('tin')
    expect(chooseDrawing({ name: 'Zyx', category: 'Fresh Vegetables' }).kind).toBe('sack')
    expect(['carton', 'packet']).toContain(chooseDrawing({ name: 'Zyx' }).kind)
    expect(chooseDrawing({ name: '' }).kind).toBeTruthy()
    const plain = Array.from({ length: 40 }, (_, index) =>
      JSON.stringify(chooseDrawing({ name: `Zyx ${index}` })),
    )
    expect(new Set(plain).size).toBeGreaterThan(20)
  })

  test('no word means two things', () => {
    const words = [...Object.values(drawings.products), ...drawings.others].flatMap((known) => known.words)
    expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([])
  })

  test('every word of the table is found as it is written', () => {
    for (const { words, kind } of [...Object.values(drawings.products), ...drawings.others])
      for (const word of words) expect(chooseDrawing({ name: word }).kind, word).toBe(kind)
  })
})

test('the size on a pack is the amount alone', () => {
  expect(packSize('5 kg bag')).toBe('5 kg')
  expect(packSize('1.5 L bottle')).toBe('1.5 L')
  expect(packSize('५ केजी बोरा')).toBe('५ केजी')
  expect(packSize('500g')).toBe('500g')
  expect(packSize('1 piece (about 800 g)')).toBe('1 piece')
  expect(packSize('a handful')).toBeUndefined()
  expect(packSize(null)).toBeUndefined()
})
