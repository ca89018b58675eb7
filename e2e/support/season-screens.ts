import type { Page } from '@playwright/test'
import { screen, visible, withAnswers } from './answered-screens.ts'
import type { BuyingScreen } from './buying-screens.ts'

const TIHAR = {
  theme: 'tihar',
  title: 'Happy Tihar!',
  titleNe: 'तिहारको शुभकामना!',
  text: 'Oil for the lamps, flour for sel roti and sweets to share.',
  textNe: 'दियोको तेल, सेल रोटीको पिठो र बाँड्ने मिठाई।',
}
/** As long as a seller can write them. */
const LONG = {
  theme: 'dashain',
  title: 'A very happy Dashain to you and yours!!!',
  titleNe: 'तपाईं र तपाईंको परिवारलाई दशैंको शुभकामना',
  text: 'Rice, ghee, spices, fruit and everything else for the feast, brought to your door by noon',
  textNe: 'चामल, घिउ, मसला, फलफूल र भोजका लागि चाहिने अरू सबै सामान, दिउँसोअघि तपाईंको ढोकामै।',
}

/** Opens the home page of a shop that has this season; a season in the demo shop would change the screens of others. */
const inSeason = (season: object) => async (page: Page) => {
  await page.route(
    (url) => url.pathname === '/',
    async (route) => {
      const response = await route.fetch()
      const settings = `"settings":{"season":${JSON.stringify({ ...season, endsAt: '2126-11-11T18:15:00Z' })},`
      await route.fulfill({ response, body: (await response.text()).replace('"settings":{', settings) })
    },
  )
  await page.goto('/')
  await page.locator('.hero[data-season]').waitFor()
}

const THEMES = ['dashain', 'tihar', 'chhath', 'new_year', 'holi', 'teej', 'losar', 'monsoon'].map(
  (theme) => ({
    ...TIHAR,
    theme,
  }),
)
const NO_TEXTS = { title: '', titleNe: '', text: '', textNe: '' }
const LIST = {
  seasons: [
    {
      ...NO_TEXTS,
      _id: 's-3',
      theme: 'tihar',
      startsOn: '2027-10-27',
      endsOn: '2027-10-31',
      state: 'planned',
      version: 1,
    },
    { ...LONG, _id: 's-2', startsOn: '2026-11-10', endsOn: '2026-11-30', state: 'shown', version: 2 },
    {
      ...NO_TEXTS,
      _id: 's-1',
      theme: 'monsoon',
      startsOn: '2026-06-15',
      endsOn: '2026-09-20',
      state: 'ended',
      version: 1,
    },
  ],
  themes: THEMES,
}
const openSeller = (list: object = LIST) =>
  withAnswers('/seller/seasons', { '/api/season/get_seasons': list }, visible('.seasons-intro'))

/** The home page in a season, and the seller's page for seasons. */
export const SEASON_SCREENS: BuyingScreen[] = [
  screen('home-season', inSeason(TIHAR), { who: 'visitor' }),
  screen('home-season-long', inSeason(LONG), { who: 'visitor' }),
  screen('seller-seasons', async (page) => {
    await openSeller()(page)
    await visible('[data-testid=season]')(page)
  }),
  screen('seller-seasons-none', async (page) => {
    await openSeller({ seasons: [], themes: THEMES })(page)
    await visible('.state-panel')(page)
  }),
  screen('seller-season-form', async (page) => {
    await openSeller()(page)
    await page.locator('[data-testid=season] .button-outline').nth(1).click()
    await page.locator('#season-dialog form').waitFor()
  }),
  screen('seller-season-problems', async (page) => {
    await openSeller()(page)
    await page.locator('[data-testid=season]').first().waitFor()
    await page.locator('.seller-page-tools .button').click()
    await page.locator('#season-dialog [type=submit]').click()
    await page.locator('#season-dialog .field-error').first().waitFor()
  }),
]
