import type { SeasonList, Theme } from '@/features/seasons/seller/seasons-api'
import type { MessageId } from '@/lib/i18n'

export const THEME_NAMES = {
  dashain: 'seller.seasons.theme.dashain',
  tihar: 'seller.seasons.theme.tihar',
  chhath: 'seller.seasons.theme.chhath',
  new_year: 'seller.seasons.theme.new_year',
  holi: 'seller.seasons.theme.holi',
  teej: 'seller.seasons.theme.teej',
  losar: 'seller.seasons.theme.losar',
  monsoon: 'seller.seasons.theme.monsoon',
} satisfies Record<Theme, MessageId>

type Texts = { title: string; titleNe: string; text: string; textNe: string }

/** The texts of the theme itself. */
export const themeTexts = (themes: SeasonList['themes'], theme: Theme): Texts =>
  themes.find((one) => one.theme === theme) ?? { title: '', titleNe: '', text: '', textNe: '' }

/** What shoppers read, as the server decides it: a text in one language only is shown in both. */
export function shownTexts(written: Texts, standard: Texts): Texts {
  const pair = (own: string, ownNe: string, theirs: string, theirsNe: string) =>
    own || ownNe ? ([own || ownNe, ownNe || own] as const) : ([theirs, theirsNe] as const)
  const [title, titleNe] = pair(written.title, written.titleNe, standard.title, standard.titleNe)
  const [text, textNe] = pair(written.text, written.textNe, standard.text, standard.textNe)
  return { title, titleNe, text, textNe }
}
