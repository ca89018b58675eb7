import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryClient } from '@/api/query-client'
import { serverText } from '@/api/server-text'
import { alertsApi, type StaffAlertChannels, staffAlerts } from '@/features/alerts/api'
import { ChannelSwitch } from '@/features/alerts/channel-switch'
import { pushSupport } from '@/features/alerts/push'
import { PushSwitch } from '@/features/alerts/push-switch'
import { orderSound } from '@/features/alerts/sound'
import { useMay } from '@/features/staff/permissions'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { useT } from '@/lib/i18n'
import { TextField } from '@/ui/field'
import { LoadState } from '@/ui/load-state'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { failure, useForm } from '@/ui/use-form'

const TEXTS = { refused: 'alerts.problem', broken: 'alerts.problem' } as const

async function save(channels: StaffAlertChannels) {
  const saved = await alertsApi.saveStaff(channels)
  queryClient.setQueryData(staffAlerts.queryKey, (known) => known && { ...known, channels: saved })
  toast.success('alerts.saved')
}

/** How a member of staff hears of new orders and of low stock. */
export function StaffAlerts() {
  const t = useT()
  const query = useQuery(staffAlerts)
  const mayCosts = useMay()('inventory.costs')
  useEffect(() => void handleSellerSessionEnded(query.error), [query.error])
  const saveOrSay = async (channels: StaffAlertChannels) => {
    try {
      await save(channels)
    } catch (error) {
      if (!handleSellerSessionEnded(error)) toast.error(serverText(error, TEXTS))
    }
  }
  return (
    <LoadState
      query={query}
      problem="alerts.problem"
      skeleton={<div className="disclosure-skeleton skeleton" />}
    >
      {({ channels, devices, smsAvailable }) => (
        <div className="staff-alerts">
          <section className="box" aria-labelledby="alerts-sound">
            <h2 id="alerts-sound">{t('seller.alerts.soundTitle')}</h2>
            <SoundSwitch />
          </section>
          {pushSupport() ? (
            <section className="box" aria-labelledby="alerts-push">
              <h2 id="alerts-push">{t('seller.alerts.pushTitle')}</h2>
              <PushSwitch
                staff
                text="seller.alerts.pushText"
                endpoints={devices.map(({ endpoint }) => endpoint)}
                onChanged={() => query.refetch()}
              />
            </section>
          ) : null}
          <section className="box" aria-labelledby="alerts-email">
            <h2 id="alerts-email">{t('seller.alerts.emailTitle')}</h2>
            <ChannelSwitch
              label={t('seller.alerts.email')}
              checked={channels.email}
              onChange={(email) => saveOrSay({ ...channels, email })}
            />
            {mayCosts ? (
              <ChannelSwitch
                label={t('seller.alerts.lowStockEmail')}
                hint={t('seller.alerts.lowStockEmailHint')}
                checked={channels.lowStockEmail ?? true}
                onChange={(lowStockEmail) => saveOrSay({ ...channels, lowStockEmail })}
              />
            ) : null}
          </section>
          {smsAvailable ? (
            <section className="box" aria-labelledby="alerts-sms">
              <h2 id="alerts-sms">{t('seller.alerts.smsTitle')}</h2>
              <SmsForm channels={channels} />
            </section>
          ) : null}
        </div>
      )}
    </LoadState>
  )
}

function SoundSwitch() {
  const t = useT()
  const sound = orderSound.use()
  return (
    <ChannelSwitch
      label={t('seller.alerts.sound')}
      hint={t('seller.alerts.soundHint')}
      checked={sound === 'on' || sound === 'silent'}
      onChange={async (wanted) => {
        if (wanted) await orderSound.turnOn()
        else orderSound.turnOff()
      }}
    />
  )
}

/** Text messages cost the shop money, so they are saved with a button and not by a touch. */
function SmsForm({ channels }: { channels: StaffAlertChannels }) {
  const t = useT()
  const form = useForm<'phone'>({
    onError: (error) => {
      if (handleSellerSessionEnded(error)) return undefined
      return failure(serverText(error, TEXTS), 'phone')
    },
  })
  return (
    <form
      className="form"
      method="post"
      {...form.bind(async (field) => {
        const phone = field('phone').trim()
        await save({ ...channels, phone, sms: phone !== '' })
      })}
    >
      <TextField
        label={t('seller.alerts.phone')}
        hint={t('seller.alerts.phoneHint')}
        error={form.error('phone')}
        name="phone"
        type="tel"
        autoComplete="tel"
        inputMode="tel"
        defaultValue={channels.sms ? channels.phone : ''}
      />
      <SubmitButton busy={form.busy}>{t('seller.alerts.save')}</SubmitButton>
    </form>
  )
}
