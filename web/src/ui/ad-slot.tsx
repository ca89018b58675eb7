import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { settings } from '@/lib/first-data'
import { useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { formatMoney, toPaisa } from '@/lib/money'
import { paths } from '@/lib/paths'
import { saveData } from '@/lib/save-data'

const START_AFTER_LOAD_MS = 800
/** Chooses a banner: another one at each page load, the same one while the page is open. */
const RANDOM_PICK = Math.random()

/** Visitors who save data see no banner. */
export function AdSlot() {
  return saveData() ? null : <Slot />
}

/** The box has its full size from the first paint, so that a late banner never moves the page. */
function Slot() {
  const t = useT()
  const lang = useLang()
  const started = useStarted()
  const { banners, rates } = settings
  const above = formatMoney(toPaisa(rates.freeShippingAbove), lang, 'auto')
  const banner = banners[Math.floor(RANDOM_PICK * banners.length)]
  const note = rates.shippingFee > 0 ? t('ad.house.title', { above }) : t('ad.house.free')
  // The shop's own note on shipping is no advertisement.
  const label = banner ? t('ad.label') : ''
  return (
    <aside className="ad-slot" aria-label={label || note} data-testid="ad-slot" data-started={started}>
      <span className="ad-label">{label}</span>
      {started ? (
        banner ? (
          <a className="ad-banner" href={banner.href}>
            <strong>{localText(banner, 'title', lang)}</strong>
            <span>{localText(banner, 'text', lang)}</span>
          </a>
        ) : (
          <Link className="ad-banner" to={paths.products}>
            <strong>{note}</strong>
            <span>{t('ad.house.text')}</span>
          </Link>
        )
      ) : null}
    </aside>
  )
}

function useStarted(): boolean {
  const [started, setStarted] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const arm = () => {
      timer = setTimeout(() => setStarted(true), START_AFTER_LOAD_MS)
    }
    if (document.readyState === 'complete') arm()
    else window.addEventListener('load', arm, { once: true })
    return () => {
      clearTimeout(timer)
      window.removeEventListener('load', arm)
    }
  }, [])
  return started
}
