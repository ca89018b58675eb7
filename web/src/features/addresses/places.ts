import list from '@data/places.json'
import type { Lang } from '@/lib/first-data'
import type { MessageId } from '@/lib/i18n'

type Names = { en: string; ne: string }
export type LocalLevel = Names & { kind: keyof typeof KINDS; wards: number }
export type District = Names & { localLevels: LocalLevel[] }
export type Province = Names & { districts: District[] }

export const KINDS = {
  m: 'place.metropolitan',
  s: 'place.subMetropolitan',
  n: 'place.municipality',
  r: 'place.rural',
} as const satisfies Record<string, MessageId>

function names(text: string): Names {
  const [en = '', ne = ''] = text.split('|')
  return { en, ne }
}

/** The official administrative divisions of Nepal; data/PLACES.md describes the format of the file. */
export const provinces: Province[] = Object.entries(list).map(([province, districts]) => ({
  ...names(province),
  districts: Object.entries(districts as Record<string, string[]>).map(([district, places]) => ({
    ...names(district),
    localLevels: places.map((place) => {
      const end = place.split('|')[2] ?? ''
      return { ...names(place), kind: end.charAt(0) as LocalLevel['kind'], wards: Number(end.slice(1)) }
    }),
  })),
}))

/** Finds a place by its name in either language, because addresses are stored as they were written. */
export function findPlace<T extends Names>(places: T[], text: string): T | undefined {
  const wanted = text.trim().toLowerCase()
  return places.find(({ en, ne }) => en.toLowerCase() === wanted || ne === wanted)
}

export type City = { province: Province; district: District; level: LocalLevel }

const cities: City[] = provinces.flatMap((province) =>
  province.districts.flatMap((district) =>
    district.localLevels.map((level) => ({ province, district, level })),
  ),
)

/** Returns the only local level with this name; a name that occurs in several districts is ambiguous. */
export function findCity(text: string): City | undefined {
  const wanted = text.trim().toLowerCase()
  const found = cities.filter(({ level }) => level.en.toLowerCase() === wanted || level.ne === wanted)
  return found.length === 1 ? found[0] : undefined
}

/** Suggests cities, from two letters on. */
export function searchCities(text: string, lang: Lang): City[] {
  const start = text.trim().toLowerCase()
  if (start.length < 2) return []
  return cities.filter(({ level }) => level[lang].toLowerCase().startsWith(start)).slice(0, 12)
}

/** The local level of a district by their English names, which delivery zones store. */
export const findLocalLevel = (district: string, level: string) =>
  cities.find((city) => city.district.en === district && city.level.en === level)

export const placeName = (place: Names, lang: Lang) => place[lang]
