import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { serverText } from '@/api/server-text'
import { accountsApi, type Device, userQueries } from '@/features/accounts/api'
import { DeviceRow, useDeviceName } from '@/features/accounts/device-row'
import { googleSignInUrl } from '@/features/accounts/google-sign-in'
import { useUser } from '@/features/accounts/session'
import { clearAfterSignOut, handleSessionEnded } from '@/features/accounts/sign-in-out'
import { formatDate } from '@/lib/dates'
import { useLang, useT } from '@/lib/i18n'
import { LoadState } from '@/ui/load-state'
import { PasswordDialog } from '@/ui/password-dialog'
import { toast } from '@/ui/toast'
import { type FormFailure, useForm } from '@/ui/use-form'

const TEXTS = { refused: 'auth.generic', broken: 'auth.generic' } as const

/** The session to end, or all of them. */
type SignOutTarget = Device | 'everywhere'

export function DevicesSection() {
  const t = useT()
  const deviceName = useDeviceName()
  const devices = useQuery({ ...userQueries.devices, enabled: useUser().user !== null })
  const [asking, setAsking] = useState<SignOutTarget | null>(null)
  // The server requires the password, unless the login is recent.
  const [proof, setProof] = useState(false)
  const form = useForm<'password'>({ onError: (error) => asking && failureOf(error, asking) })

  const ask = (wanted: SignOutTarget | null) => {
    setAsking(wanted)
    setProof(false)
    form.reset()
  }
  const end = async (wanted: SignOutTarget) => {
    if (wanted === 'everywhere') {
      await accountsApi.signOutEverywhere()
      ask(null)
      clearAfterSignOut()
      toast.success('devices.signedOutEverywhere')
      return
    }
    await accountsApi.signOutDevice(wanted.id)
    ask(null)
    queryClient.setQueryData<Device[]>(userQueries.devices.queryKey, (list) =>
      list?.filter(({ id }) => id !== wanted.id),
    )
    toast.success('devices.deviceSignedOut')
  }
  const confirm = async (wanted: SignOutTarget) => {
    if (proof) await accountsApi.provePassword(form.read('password'))
    await end(wanted)
  }
  const failureOf = (error: unknown, wanted: SignOutTarget): FormFailure<'password'> | undefined => {
    if (handleSessionEnded(error)) return undefined
    const text = serverText(error, TEXTS)
    const code = error instanceof ApiError ? error.code : undefined
    if (code === 'password_needed') {
      setAsking(wanted)
      setProof(true)
      return undefined
    }
    if (code === 'wrong_password') return { errors: { password: text } }
    if (code === 'fresh_login_needed') location.assign(googleSignInUrl(true))
    return { toast: text }
  }

  return (
    <div className="form">
      <LoadState
        query={devices}
        problem="devices.problem"
        skeleton={<div className="disclosure-skeleton skeleton" />}
      >
        {(list) => (
          <ul className="rows">
            {list.map((device) => (
              <DeviceItem
                key={device.id}
                device={device}
                signOut={() => end(device)}
                onError={(error) => failureOf(error, device)}
              />
            ))}
          </ul>
        )}
      </LoadState>
      <div className="button-row">
        <button type="button" className="button button-outline" onClick={() => ask('everywhere')}>
          {t('devices.everywhere')}
        </button>
      </div>
      {asking ? (
        <PasswordDialog
          id="sign-out"
          {...(asking === 'everywhere'
            ? {
                title: t('devices.everywhereTitle'),
                text: t('devices.everywhereText'),
                confirm: t('devices.everywhere'),
              }
            : {
                title: t('devices.signOutTitle', { device: deviceName(asking) }),
                text: t('devices.passwordText'),
                confirm: t('devices.signOut'),
              })}
          form={form}
          withPassword={proof}
          focusPassword={proof}
          onConfirm={() => form.send(() => confirm(asking))}
          onCancel={() => ask(null)}
        />
      ) : null}
    </div>
  )
}

type DeviceItemProps = {
  device: Device
  signOut: () => Promise<void>
  onError: (error: unknown) => FormFailure | undefined
}

/** Each row has its own busy state. */
function DeviceItem({ device, signOut, onError }: DeviceItemProps) {
  const lang = useLang()
  const { busy, send } = useForm({ onError })
  return (
    <DeviceRow
      device={device}
      lastUsed={formatDate(device.lastSeenAt, lang)}
      busy={busy}
      onSignOut={() => send(signOut)}
    />
  )
}
