import '@/styles/alerts.css'
import { useEffect, useState } from 'react'
import { serverText } from '@/api/server-text'
import { alertsApi } from '@/features/alerts/api'
import { currentEndpoint, pushSupport, subscribe } from '@/features/alerts/push'
import { type MessageId, useT } from '@/lib/i18n'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

type PushSwitchProps = {
  staff: boolean
  /** What the notifications are for; the browser's own question follows only after the button. */
  text: MessageId
  /** The addresses of the account's browsers. */
  endpoints: string[]
  onChanged: () => Promise<unknown>
}

const TEXTS = { refused: 'alerts.push.failed', broken: 'alerts.push.failed' } as const

/** Turns notifications on and off in this browser. */
export function PushSwitch({ staff, text, endpoints, onChanged }: PushSwitchProps) {
  const t = useT()
  const [support, setSupport] = useState(pushSupport)
  const [endpoint, setEndpoint] = useState<string | null>()
  const [busy, run] = useBusy()
  useEffect(() => {
    currentEndpoint().then(setEndpoint, () => setEndpoint(null))
  }, [])
  if (!support) return null
  const on = Boolean(endpoint && endpoints.includes(endpoint))
  const turnOn = () =>
    run(async () => {
      try {
        const made = await subscribe()
        setSupport(pushSupport())
        if (made === 'denied') return
        await alertsApi.subscribe(staff, made)
        setEndpoint(made.endpoint)
        await onChanged()
      } catch (error) {
        toast.error(serverText(error, TEXTS))
      }
    })
  const turnOff = () =>
    run(async () => {
      try {
        await alertsApi.unsubscribeDevice(staff, endpoint ?? '')
        await onChanged()
      } catch (error) {
        toast.error(serverText(error, TEXTS))
      }
    })
  return (
    <div className="push-switch">
      <p>{t(text)}</p>
      {support === 'possible' ? (
        <>
          <p className="push-state" role="status">
            {on ? t('alerts.push.isOn') : ''}
          </p>
          <button
            type="button"
            className={on ? 'button button-outline' : 'button button-primary'}
            aria-busy={busy}
            disabled={endpoint === undefined}
            onClick={() => void (on ? turnOff() : turnOn())}
          >
            {t(on ? 'alerts.push.off' : 'alerts.push.on')}
          </button>
        </>
      ) : (
        <p className="muted" role="status">
          {t(`alerts.push.${support}`)}
        </p>
      )}
    </div>
  )
}
