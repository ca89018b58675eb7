import drawings from '@data/drawings.json'
import type { Drawing, Kind, Subject } from '@/features/media/drawing/model'
import { randomFrom } from '@/features/media/drawing/shade'

type Known = Drawing & { words: string[] }

const KNOWN = [...Object.values(drawings.products), ...drawings.others] as Known[]

/** Without the ending of an English plural. */
const singular = (word: string) =>
  word.replace(/^([a-z]+(?:o|ch|sh|x))es$/, '$1').replace(/^([a-z]{2,}[a-rt-z])s$/, '$1')

/** The words in lower case, without brackets and in the singular, as the table has them. */
const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/\([^)]*\)/g, ' ')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
    .map(singular)

const BY_WORDS = new Map(KNOWN.flatMap((known) => known.words.map((words) => [words, known] as const)))

/**
 * The goods that a text names. The last one counts, because both languages put what a thing is last: mango juice is
 * juice. Of several that end there the longest counts.
 */
function findGoods(text: string | null | undefined): Known | undefined {
  const words = wordsOf(text ?? '')
  for (let end = words.length; end > 0; end--)
    for (let start = 0; start < end; start++) {
      const found = BY_WORDS.get(words.slice(start, end).join(' '))
      if (found) return found
    }
  return undefined
}

const CONTAINERS: [RegExp, Kind][] = [
  [/\b(bottle|btl)|बोतल|सिसी/u, 'bottle'],
  [/\bjar\b|जार/u, 'jar'],
  [/\b(tin|can)s?\b|टिन|क्यान/u, 'tin'],
  [/\btube|ट्युब/u, 'tube'],
  [/\b(tub|cup)s?\b|कप/u, 'tub'],
  [/\bsack|बोरा/u, 'sack'],
  [/\bbag|झोला/u, 'bag'],
  [/\bbar\b|साबुन/u, 'bar'],
  [/\bblock|डल्लो/u, 'block'],
  [/\bbunch|मुठा/u, 'bunch'],
  [/\b(box|carton)|बट्टा|बाकस/u, 'carton'],
  [/\b(packet|pouch|pack|pkt)|पोका|प्याकेट|पाउच/u, 'packet'],
]

const containerOf = (pack: string | null | undefined): Kind | undefined =>
  CONTAINERS.find(([words]) => words.test((pack ?? '').toLowerCase()))?.[1]

/** Goods that are sold without a pack. */
const LOOSE: Kind[] = ['bowl', 'bunch', 'crate', 'eggs', 'emoji', 'produce', 'tray']
/** Containers in which loose goods are no longer themselves: tomato in a bottle is sauce. */
const CLOSED: Kind[] = ['bottle', 'jar', 'tin', 'tube', 'tub']
const PACKS: Kind[] = ['bag', 'bottle', 'carton', 'clear', 'jar', 'packet', 'sack', 'tin']
const JUTE = '#cfa56a'

/** The goods in the container that their pack's label names. */
function inContainer(goods: Drawing, container: Kind | undefined): Drawing {
  const { kind, grain } = goods
  if (!container || container === kind) return goods
  if (kind === 'bowl' && grain) {
    if (container === 'packet') return { ...goods, kind: 'clear', color: '#2f8f5b' }
    if (container === 'sack' || container === 'bag')
      return { ...goods, kind: 'sack', shape: 'open', color: JUTE }
  }
  if (
    LOOSE.includes(kind) ? !CLOSED.includes(container) : !PACKS.includes(kind) || !PACKS.includes(container)
  )
    return goods
  // A clear packet stays one, since only that shows what is in it.
  if (kind === 'clear' && container === 'packet') return goods
  const { shape: _, tint: __, ...rest } = goods
  const color = container === 'sack' ? JUTE : kind === 'emoji' ? '#f3e3c4' : goods.color
  return { ...rest, kind: container, color }
}

const PALETTE: [color: string, accent: string][] = [
  ['#2f7fb8', '#f7d354'],
  ['#c9472f', '#fbe3b0'],
  ['#3f8f5b', '#f2e6a0'],
  ['#7a4f9e', '#f3c9e4'],
  ['#f0c04a', '#a03a1f'],
  ['#f3efe2', '#c0392b'],
  ['#e9f1f7', '#2f6fa8'],
  ['#d97f2b', '#fff0cf'],
  ['#2f8f8a', '#e8f6d8'],
  ['#b5446e', '#ffe6ee'],
]
const PATTERNS = ['band', 'wave', 'diagonal', 'frame', 'disc', 'stripes'] as const

/** A plain pack for goods that nothing is known about, in colours that depend on the name. */
function plainPack(subject: Subject, container: Kind | undefined): Drawing {
  const random = randomFrom(subject.name)
  const pick = <T>(from: readonly [T, ...T[]] | readonly T[], otherwise: T) =>
    from[Math.floor(random() * from.length)] ?? otherwise
  const [color, accent] = pick(PALETTE, ['#2f7fb8', '#f7d354'])
  const print = pick(PATTERNS, 'band')
  const fresh = /vegetable|fruit|तरकारी|फलफूल|sabji/i.test(subject.category ?? '')
  const liquid = /\d\s*(ml|l|litre|liter|लिटर|मिलि)\b/iu.test(subject.packLabel ?? '')
  const kind = container ?? (fresh ? 'sack' : liquid ? 'bottle' : random() < 0.5 ? 'carton' : 'packet')
  return { kind, color: kind === 'sack' ? JUTE : color, accent, print }
}

/** What to draw for something without a photo, from its name, its pack and its category. */
export function chooseDrawing(subject: Subject): Drawing {
  const container = containerOf(subject.packLabel)
  const goods = findGoods(subject.name) ?? findGoods(subject.nameNe)
  if (!goods) return plainPack(subject, container)
  const { words: _, label: __, sub: ___, ...drawing } = goods
  return inContainer(drawing, container)
}
