import { useEffect, useRef, useState } from 'react'
import { useT } from '@/lib/i18n'
import { useOnline } from '@/lib/use-online'
import { OfflineIcon } from '@/ui/icons'

const BACK_MS = 4000

export function OfflineBar() {
  const t = useT()
  const online = useOnline()
  const wasOffline = useRef(false)
  const [justBack, setJustBack] = useState(false)

  useEffect(() => {
    if (!online) {
      wasOffline.current = true
      setJustBack(false)
      return undefined
    }
    if (!wasOffline.current) return undefined
    wasOffline.current = false
    setJustBack(true)
    const timer = setTimeout(() => setJustBack(false), BACK_MS)
    return () => clearTimeout(timer)
  }, [online])

  return (
    <div role="status">
      {online && !justBack ? null : (
        <div className={online ? 'offline-bar offline-back' : 'offline-bar'}>
          {online ? null : <OfflineIcon />}
          <p>{t(online ? 'offline.back' : 'offline.bar')}</p>
        </div>
      )}
    </div>
  )
}
