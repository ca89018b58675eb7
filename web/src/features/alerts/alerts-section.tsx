import { useQuery } from '@tanstack/react-query'
import { queryClient } from '@/api/query-client'
import { serverText } from '@/api/server-text'
import { handleSessionEnded } from '@/features/accounts/sign-in-out'
import { type AlertChannels, alertsApi, shopperAlerts } from '@/features/alerts/api'
import { ChannelSwitch } from '@/features/alerts/channel-switch'
import { PushSwitch } from '@/features/alerts/push-switch'
import { useT } from '@/lib/i18n'
import { LoadState } from '@/ui/load-state'
import { toast } from '@/ui/toast'

/** How a shopper hears of changes of an order. */
export function AlertsSection() {
  const t = useT()
  const query = useQuery(shopperAlerts)
  const save = async (channels: AlertChannels) => {
    try {
      const saved = await alertsApi.saveShopper(channels)
      queryClient.setQueryData(shopperAlerts.queryKey, (known) => known && { ...known, channels: saved })
      toast.success('alerts.saved')
    } catch (error) {
      if (!handleSessionEnded(error))
        toast.error(serverText(error, { refused: 'alerts.problem', broken: 'alerts.problem' }))
    }
  }
  return (
    <LoadState
      query={query}
      problem="alerts.problem"
      skeleton={<div className="disclosure-skeleton skeleton" />}
    >
      {({ channels, devices }) => (
        <div className="form">
          <PushSwitch
            staff={false}
            text="alerts.push.text"
            endpoints={devices.map(({ endpoint }) => endpoint)}
            onChanged={() => query.refetch()}
          />
          <ChannelSwitch
            label={t('alerts.email')}
            hint={t('alerts.emailHint')}
            checked={channels.email}
            onChange={(email) => save({ ...channels, email })}
          />
        </div>
      )}
    </LoadState>
  )
}
