import { Link } from '@tanstack/react-router'
import { type Season, settings } from '@/lib/first-data'
import { useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { paths } from '@/lib/paths'
import { saveData } from '@/lib/save-data'
import { LogoMark } from '@/ui/logo'

type HeroSeason = Pick<Season, 'theme' | 'title' | 'titleNe' | 'text' | 'textNe'>

/** The season that came with the page, unless it has ended since. */
export const currentSeason = () =>
  settings.season && Date.now() < Date.parse(settings.season.endsAt) ? settings.season : undefined

type HeroProps = {
  season: HeroSeason | undefined
  /** The element of the welcome; the preview of a season is not a heading of its page. */
  level?: 'h1' | 'p'
}

/** The banner of the home page: the shop's own, or that of the season. */
export function Hero({ season, level: Welcome = 'h1' }: HeroProps) {
  const t = useT()
  const lang = useLang()
  const welcome = (
    <Welcome className="hero-welcome">
      {t('home.hero.title', { brand: localText(settings, 'brand', lang) })}
    </Welcome>
  )
  const button = (
    <Link className="button button-accent" to={paths.products}>
      {t('home.hero.cta')}
    </Link>
  )
  if (season)
    return (
      <section className="hero" data-season={season.theme}>
        {saveData() ? null : (
          <img className="hero-season" src={`/seasons/${season.theme}.svg`} alt="" width="480" height="160" />
        )}
        <div className="hero-text">
          {welcome}
          <p className="hero-title">{localText(season, 'title', lang)}</p>
          <p className="hero-season-text">{localText(season, 'text', lang)}</p>
        </div>
        {button}
      </section>
    )
  return (
    <section className="hero">
      <div className="hero-text">
        {welcome}
        <p>{localText(settings, 'tagline', lang)}</p>
      </div>
      {button}
      {saveData() ? null : <LogoMark className="hero-art" />}
    </section>
  )
}
