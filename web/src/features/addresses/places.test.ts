import { expect, test } from 'vitest'
import { findPlace, provinces } from '@/features/addresses/places'

const districts = provinces.flatMap((province) => province.districts)
const levels = districts.flatMap((district) => district.localLevels)

test('the list is Nepal: 7 provinces, 77 districts, 753 local levels, 6743 wards', () => {
  expect(provinces).toHaveLength(7)
  expect(districts).toHaveLength(77)
  expect(levels).toHaveLength(753)
  expect(levels.reduce((sum, { wards }) => sum + wards, 0)).toBe(6743)
})

test('it has 6 metropolitan and 11 sub-metropolitan cities, 276 municipalities and 460 rural ones', () => {
  const count = (kind: string) => levels.filter((level) => level.kind === kind).length
  expect([count('m'), count('s'), count('n'), count('r')]).toEqual([6, 11, 276, 460])
})

test('every place has a name in both scripts and at least one ward', () => {
  for (const { en, ne } of [...provinces, ...districts, ...levels]) {
    expect(en).toMatch(/^[A-Z][A-Za-z .()'-]+$/)
    expect(ne).toMatch(/^(?:[\u0900-\u097f .()-]|\u200d)+$/)
  }
  for (const { wards } of levels) expect(wards).toBeGreaterThan(0)
})

test('names are unique within their district, which is how they are found', () => {
  for (const { localLevels } of districts) {
    expect(new Set(localLevels.map(({ en }) => en)).size).toBe(localLevels.length)
  }
})

test('the known misspellings of other lists are not in it', () => {
  expect(provinces[0]).toMatchObject({ en: 'Koshi', ne: 'कोशी' })
  expect(levels.some(({ en }) => en === 'Budhanilkantha')).toBe(true)
  for (const { ne } of [...provinces, ...districts, ...levels]) expect(ne).not.toMatch(/ाे|ाै/)
})

test('a place is found by either name', () => {
  expect(findPlace(provinces, 'bagmati ')?.ne).toBe('बागमती')
  expect(findPlace(provinces, 'बागमती')?.en).toBe('Bagmati')
  expect(findPlace(provinces, 'Bavaria')).toBeUndefined()
})
