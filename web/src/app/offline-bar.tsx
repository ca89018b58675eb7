import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { registerAfterLoad } from '@/app/register-after-load'
import { useServerReachable } from '@/app/use-server-reachable'
import type { Lang } from '@/lib/first-data'
import { useLang, useT } from '@/lib/i18n'
import { localDigits } from '@/lib/money'
import { pricesFetchedAt } from '@/lib/offline-cache'
import { useOnline } from '@/lib/use-online'
import { Outline } from '@/ui/icons'

const BACK_ONLINE_MS = 4000
/** A crossed-out Wi-Fi symbol. */
const NO_WIFI_PATH =
  'M3 3l18 18M5 12.5a10 10 0 0 1 4-2.4M2 9a15 15 0 0 1 4.5-2.8M12.5 9.6a10 10 0 0 1 6.5 2.9M10 5.2A15 15 0 0 1 22 9M8.5 16a5 5 0 0 1 7 0M12 19.5v.1'

export function OfflineBar() {
  const t = useT()
  const connected = useOnline()
  const reached = useServerReachable()
  const online = connected && reached
  const wasOffline = useRef(false)
  const [justBack, setJustBack] = useState(false)

  useEffect(registerAfterLoad, [])

  useEffect(() => {
    if (!online) {
      wasOffline.current = true
      setJustBack(false)
      return undefined
    }
    if (!wasOffline.current) return undefined
    wasOffline.current = false
    setJustBack(true)
    const timer = setTimeout(() => setJustBack(false), BACK_ONLINE_MS)
    return () => clearTimeout(timer)
  }, [online])

  return (
    <div role="status">
      {online && !justBack ? null : (
        <div className={online ? 'offline-bar offline-back' : 'offline-bar'}>
          {online ? null : <Outline d={NO_WIFI_PATH} />}
          <p>
            {t(online ? 'offline.back' : 'offline.bar')}
            {online ? null : <PriceAge />}
          </p>
        </div>
      )}
    </div>
  )
}

/** Shows how old the prices on this page are, if it has any. */
function PriceAge() {
  const t = useT()
  const lang = useLang()
  const href = useLocation({ select: (location) => location.href })
  const [time, setTime] = useState('')
  useEffect(() => {
    let here = true
    pricesFetchedAt(new URL(href, location.origin))
      .then((fetchedAt) => (fetchedAt ? formatAge(fetchedAt, lang) : ''))
      .catch(() => '')
      .then((spelled) => here && setTime(spelled))
    return () => {
      here = false
    }
  }, [href, lang])
  return time ? <> {t('offline.prices', { time })}</> : null
}

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Asia/Kathmandu' })

/** Returns the time alone for today, and the date for any other day. */
async function formatAge(moment: Date, lang: Lang): Promise<string> {
  const { formatDate } = await import('@/lib/dates')
  const day = formatDate(moment.toISOString(), lang)
  return day === formatDate(new Date().toISOString(), lang) ? localDigits(clock.format(moment), lang) : day
}
