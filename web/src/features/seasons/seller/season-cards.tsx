import { SeasonPreview } from '@/features/seasons/seller/season-preview'
import { THEME_NAMES } from '@/features/seasons/seller/season-texts'
import type { Season, SeasonList } from '@/features/seasons/seller/seasons-api'
import { formatDate } from '@/lib/dates'
import { type MessageId, useLang, useT } from '@/lib/i18n'

const STATES = {
  planned: 'seller.seasons.state.planned',
  shown: 'seller.seasons.state.shown',
  covered: 'seller.seasons.state.covered',
  ended: 'seller.seasons.state.ended',
} satisfies Record<Season['state'], MessageId>

type SeasonCardsProps = {
  list: SeasonList
  /** The role may change seasons. */
  mayEdit: boolean
  onEdit: (season: Season) => void
  onDelete: (season: Season) => void
}

/** All seasons with their banners, the latest first. */
export function SeasonCards({ list, mayEdit, onEdit, onDelete }: SeasonCardsProps) {
  const t = useT()
  const lang = useLang()
  return (
    <ul className="season-list">
      {list.seasons.map((season) => {
        const name = t(THEME_NAMES[season.theme])
        return (
          <li key={season._id} className="box season-card" data-testid="season">
            <h2>
              {name}
              <span className={`badge${season.state === 'shown' ? ' season-shown' : ''}`}>
                {t(STATES[season.state])}
              </span>
            </h2>
            <p className="muted">
              {`${formatDate(season.startsOn, lang)} – ${formatDate(season.endsOn, lang)}`}
            </p>
            <SeasonPreview season={season} themes={list.themes} />
            {mayEdit ? (
              <div className="button-row">
                <button type="button" className="button button-plain-danger" onClick={() => onDelete(season)}>
                  {t('seller.seasons.delete')}
                  <span className="sr-only"> {name}</span>
                </button>
                <button type="button" className="button button-outline" onClick={() => onEdit(season)}>
                  {t('seller.seasons.edit')}
                  <span className="sr-only"> {name}</span>
                </button>
              </div>
            ) : null}
          </li>
        )
      })}
    </ul>
  )
}
