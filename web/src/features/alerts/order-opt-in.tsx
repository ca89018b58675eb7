import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { shopperAlerts } from '@/features/alerts/api'
import { currentEndpoint, pushSupport } from '@/features/alerts/push'
import { PushSwitch } from '@/features/alerts/push-switch'

/** Offers notifications beside an open order, in browsers that can show them and do not yet. */
export function OrderOptIn() {
  const possible = pushSupport() === 'possible'
  const { data } = useQuery({ ...shopperAlerts, enabled: possible })
  const [endpoint, setEndpoint] = useState<string | null>()
  useEffect(() => {
    currentEndpoint().then(setEndpoint, () => setEndpoint(null))
  }, [])
  const [offered, setOffered] = useState(false)
  const endpoints = data?.devices.map((device) => device.endpoint)
  const missing = endpoints && endpoint !== undefined && !(endpoint && endpoints.includes(endpoint))
  // The switch stays after a press, to say that it worked.
  useEffect(() => {
    if (missing) setOffered(true)
  }, [missing])
  if (!possible || !endpoints || !offered) return null
  return (
    <PushSwitch
      staff={false}
      text="alerts.order.text"
      endpoints={endpoints}
      onChanged={async () => {
        setEndpoint(await currentEndpoint())
      }}
    />
  )
}
