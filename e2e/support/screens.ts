import { BAD_DAY_SCREENS } from './bad-day-screens.ts'
import { BUYING_SCREENS, type BuyingScreen, enterAsBuyer, isBuyer } from './buying-screens.ts'
import { CARE_SCREENS } from './care-screens.ts'
import { COUPON_SCREENS } from './coupon-screens.ts'
import { EXTREME_SCREENS, tidyExtremes } from './extreme-screens.ts'
import { PACKING_SCREENS } from './packing-screens.ts'
import { PAYING_SCREENS } from './paying-screens.ts'
import { enterAs, PEOPLE_SCREENS } from './people-screens.ts'
import { PICTURE_SCREENS, tidyPictures } from './picture-screens.ts'
import { RIDER_SCREENS } from './rider-screens.ts'
import { SCAN_SCREENS } from './scan-screens.ts'
import { SEASON_SCREENS } from './season-screens.ts'
import { SELLER_SCREENS, tidy } from './seller-screens.ts'
import { shopScreens } from './shop-screens.ts'
import { STAFF_SCREENS } from './staff-screens.ts'
import { STOCK_SCREENS } from './stock-screens.ts'
import { WISHLIST_SCREENS } from './wishlist-screens.ts'

/** A screen in one of its states: its path, its user, and the steps that lead to the state. */
export type Screen = BuyingScreen

/** The screens by area, in the order in which they are visited. */
async function screensByArea(): Promise<Record<string, Screen[]>> {
  return {
    shop: [...(await shopScreens()), ...SCAN_SCREENS],
    people: PEOPLE_SCREENS,
    buying: BUYING_SCREENS,
    care: CARE_SCREENS,
    wishlist: WISHLIST_SCREENS,
    coupons: COUPON_SCREENS,
    seasons: SEASON_SCREENS,
    'bad-day': BAD_DAY_SCREENS,
    seller: SELLER_SCREENS,
    staff: STAFF_SCREENS,
    paying: PAYING_SCREENS,
    packing: PACKING_SCREENS,
    riders: RIDER_SCREENS,
    stock: STOCK_SCREENS,
    extremes: EXTREME_SCREENS,
    pictures: PICTURE_SCREENS,
  }
}

/** The names of the screens of each area. */
export async function namesByArea(): Promise<[area: string, names: string[]][]> {
  const areas = Object.entries(await screensByArea())
  return areas.map(([area, screens]) => [area, screens.map(({ name }) => name)])
}

/** All screens. Those that create products come last, so that the others do not show them. */
export async function everyScreen(): Promise<Screen[]> {
  const all = Object.values(await screensByArea()).flat()
  const names = all.map(({ name }) => name)
  const twice = names.filter((name, index) => names.indexOf(name) !== index)
  if (twice.length > 0) throw new Error(`two screens have the same name: ${twice.join(', ')}`)
  return [...all.filter(({ makes }) => !makes), ...all.filter(({ makes }) => makes)]
}

export const enter = (page: Parameters<typeof enterAs>[0], who: Screen['who']) =>
  isBuyer(who) ? enterAsBuyer(page, who) : enterAs(page, who)

/** Removes the data that the screens have created. */
export async function tidyUp() {
  await tidy()
  await tidyExtremes()
  await tidyPictures()
}
