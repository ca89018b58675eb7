import { Hero } from '@/features/seasons/hero'
import { shownTexts, themeTexts } from '@/features/seasons/seller/season-texts'
import type { SeasonList, Theme } from '@/features/seasons/seller/seasons-api'

type Written = { theme: Theme; title: string; titleNe: string; text: string; textNe: string }

/** The banner as the home page shows it. Nothing in it can be pressed or is read out, because the fields say the same. */
export function SeasonPreview({ season, themes }: { season: Written; themes: SeasonList['themes'] }) {
  const texts = shownTexts(season, themeTexts(themes, season.theme))
  return (
    <div className="season-preview" inert>
      <Hero season={{ theme: season.theme, ...texts }} level="p" />
    </div>
  )
}
