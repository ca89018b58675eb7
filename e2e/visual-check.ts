/**
 * Checks every screen of the shop in every state, in both languages and at three widths: axe violations, elements that
 * are too wide or too small, and untranslated English. `npm run visual-check -- home cart` checks only those screens;
 * `--short` alternates the widths instead of checking all three, and `--pages`, for CI, checks every page once in its
 * ordinary state. Every other pair of screens is checked in the dark theme; `--dark` checks all of them in it. The environment needs the lines that scripts/stack up prints.
 */
import { parseArgs } from 'node:util'
import type { Page } from '@playwright/test'
import { axeProblems } from './support/axe.ts'
import { DESKTOP, PHONE, TABLET } from './support/chromium.ts'
import { englishLeft, overflowing } from './support/english.ts'
import {
  moving,
  outlineProblems,
  tooSmall,
  tooWide,
  tooWideAtNarrowest,
  unmarkedNepali,
  withWideNumbers,
} from './support/screen-checks.ts'
import { everyScreen } from './support/screens.ts'
import { LANGUAGES, type Language, SIZES, type Sight, type Size, walk } from './walk.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dark: { type: 'boolean', default: false },
    pages: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    windows: { type: 'string', default: '2' },
  },
})

const problems = new Set<string>()
/** Prints each problem as soon as it is found. */
function tell(problem: string) {
  if (!problems.has(problem)) process.stdout.write(`${problem}\n`)
  problems.add(problem)
}
const states = new Set<string>()
const started = Date.now()

/** The least number of whole product cards on the first screen of a page, by its width. */
const CARDS: Record<string, Record<number, [height: number, cards: number]>> = {
  home: { 360: [740, 2], 1280: [800, 6] },
  products: { 360: [740, 2], 1280: [800, 6] },
}

async function tooFewCards(page: Page, screen: string, { width }: Size): Promise<string[]> {
  const [height, least] = CARDS[screen]?.[width] ?? [0, 0]
  if (least === 0) return []
  const whole = await page.locator('article.card').evaluateAll(
    (cards, height) =>
      cards.filter((card) => {
        const { left, top, right, bottom } = card.getBoundingClientRect()
        return left >= 0 && right <= innerWidth && top >= 0 && bottom <= height
      }).length,
    height,
  )
  return whole < least ? [`${whole} whole cards on the first screen instead of ${least}`] : []
}

async function look({ page, screen, lang, size }: Sight) {
  states.add(screen.name)
  const spoken = await page.locator('html').getAttribute('lang')
  const found = [
    ...(spoken === lang ? [] : [`the page says that it is in '${spoken}'`]),
    ...(await axeProblems(page)),
    ...(await outlineProblems(page)),
    ...(await moving(page)),
    ...(await tooFewCards(page, screen.name, size)),
    ...(size === DESKTOP ? [] : await tooSmall(page)),
    ...(lang === 'ne' ? await englishLeft(page) : await unmarkedNepali(page)),
    ...(await withWideNumbers(page, async () => [
      ...(await tooWide(page)),
      ...(await overflowing(page)),
      // This check is last, because it changes the window.
      ...(size === PHONE ? await tooWideAtNarrowest(page) : []),
    ])),
  ]
  for (const each of found) tell(`${screen.name} ${lang} ${size.width}: ${each}`)
}

/**
 * Nepali, whose words are longer, is always checked at phone width; English at the wider sizes, for every other state.
 */
const dealt = (lang: Language, size: Size, index: number) =>
  lang === 'ne' ? size === PHONE : size === [DESKTOP, undefined, TABLET, undefined][index % 4]

/** For CI: each page in one language at one width, so that each language meets each width every six pages. */
const TURNS = [
  ['ne', PHONE],
  ['en', DESKTOP],
  ['ne', TABLET],
  ['en', PHONE],
  ['ne', DESKTOP],
  ['en', TABLET],
] as const
const pages = values.pages ? (await everyScreen()).filter(({ ordinary }) => ordinary) : []
const turn = (name: string) => TURNS[pages.findIndex((page) => page.name === name) % TURNS.length]

const looks = await walk({
  names: values.pages ? pages.map(({ name }) => name) : positionals,
  wanted: ({ name, within, paper, widths }, lang, size, index) => {
    if (values.pages) return turn(name)?.[0] === lang && turn(name)?.[1] === size
    // Printed pages need no accessibility checks.
    return !within && !paper && (!values.short || widths !== undefined || dealt(lang, size, index))
  },
  look,
  lost: ({ name }, lang, error) => tell(`${name} ${lang}: could not be entered: ${error}`),
  complaint: ({ name }, lang, text) => tell(`${name} ${lang}: ${text}`),
  windows: Number(values.windows),
  // Pairs, because the languages alternate as well.
  isDark: (index) => values.dark || index % 4 > 1,
})

const seconds = Math.round((Date.now() - started) / 1000)
const widths = `${SIZES.length} widths${values.short || values.pages ? ', dealt out' : ''}`
process.stdout.write(
  `figure: axe and looks: ${states.size} states x ${LANGUAGES.length} languages x ${widths} = ${looks} looks, ${problems.size} violations, in ${seconds} s\n`,
)
if (looks === 0 || problems.size > 0) process.exitCode = 1
