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
import { SEASON_SCREENS } from './season-screens.ts'
import { SELLER_SCREENS, tidy } from './seller-screens.ts'
import { shopScreens } from './shop-screens.ts'
import { STAFF_SCREENS } from './staff-screens.ts'
import { STOCK_SCREENS } from './stock-screens.ts'
import { WISHLIST_SCREENS } from './wishlist-screens.ts'

/** A screen in one of its states: its path, its user, and the steps that lead to the state. */
export type Screen = BuyingScreen

/** All screens. Those that create products come last, so that the others do not show them. */
export async function everyScreen(): Promise<Screen[]> {
  const all: Screen[] = [
    ...(await shopScreens()),
    ...PEOPLE_SCREENS,
    ...BUYING_SCREENS,
    ...CARE_SCREENS,
    ...WISHLIST_SCREENS,
    ...COUPON_SCREENS,
    ...SEASON_SCREENS,
    ...BAD_DAY_SCREENS,
    ...SELLER_SCREENS,
    ...STAFF_SCREENS,
    ...PAYING_SCREENS,
    ...PACKING_SCREENS,
    ...RIDER_SCREENS,
    ...STOCK_SCREENS,
    ...EXTREME_SCREENS,
    ...PICTURE_SCREENS,
  ]
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
