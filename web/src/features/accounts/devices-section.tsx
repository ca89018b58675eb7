import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient } from '@/api/query-client'
import { serverText } from '@/api/server-text'
import { accountsApi, type Device, personQueries } from '@/features/accounts/api'
import { endedElsewhere, signedOut } from '@/features/accounts/person'
import { useUser } from '@/features/accounts/session'
import { formatDate } from '@/lib/dates'
import { useLang, useT } from '@/lib/i18n'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { LoadState } from '@/ui/load-state'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

const TEXTS = { refused: 'auth.generic', broken: 'auth.generic' } as const

export function DevicesSection() {
  const t = useT()
  const devices = useQuery({ ...personQueries.devices, enabled: useUser().user !== null })
  const [asking, setAsking] = useState(false)
  const [busy, run] = useBusy()
  const signOutEverywhere = () =>
    run(async () => {
      try {
        await accountsApi.signOutEverywhere()
        setAsking(false)
        signedOut()
        toast.success('devices.allOut')
      } catch (error) {
        if (!endedElsewhere(error)) toast.error(serverText(error, TEXTS))
      }
    })
  return (
    <div className="form">
      <LoadState of={devices} problem="devices.problem" skeleton={<div className="fold-blank skeleton" />}>
        {(list) => (
          <ul className="rows">
            {list.map((device) => (
              <DeviceRow key={device.id} device={device} />
            ))}
          </ul>
        )}
      </LoadState>
      <div className="button-row">
        <button type="button" className="button button-outline" onClick={() => setAsking(true)}>
          {t('devices.everywhere')}
        </button>
      </div>
      {asking ? (
        <ConfirmDialog
          id="everywhere"
          title={t('devices.everywhereTitle')}
          text={t('devices.everywhereText')}
          confirm={t('devices.everywhere')}
          busy={busy}
          onConfirm={() => void signOutEverywhere()}
          onCancel={() => setAsking(false)}
        />
      ) : null}
    </div>
  )
}

function DeviceRow({ device }: { device: Device }) {
  const t = useT()
  const lang = useLang()
  const [busy, run] = useBusy()
  // 'Chrome on Android', as the server tells it.
  const [browser = '', system] = device.device.split(' on ')
  const name = system ? t('devices.on', { browser, system }) : browser || t('devices.unknown')
  const signOut = () =>
    run(async () => {
      try {
        await accountsApi.signOutDevice(device.id)
        queryClient.setQueryData<Device[]>(personQueries.devices.queryKey, (list) =>
          list?.filter(({ id }) => id !== device.id),
        )
        toast.success('devices.out')
      } catch (error) {
        if (!endedElsewhere(error)) toast.error(serverText(error, TEXTS))
      }
    })
  return (
    <li>
      <div>
        <p className="row-title">
          <span translate="no">{name}</span>{' '}
          {device.current ? <span className="badge badge-here">{t('devices.here')}</span> : null}
        </p>
        <p className="muted">{t('devices.seen', { date: formatDate(device.lastSeenAt, lang) })}</p>
      </div>
      {device.current ? null : (
        <button
          type="button"
          className="button button-plain"
          aria-label={t('devices.signOutOf', { device: name })}
          aria-busy={busy}
          onClick={() => void signOut()}
        >
          {t('devices.signOut')}
        </button>
      )}
    </li>
  )
}
