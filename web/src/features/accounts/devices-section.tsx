import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { serverText } from '@/api/server-text'
import { accountsApi, type Device, userQueries } from '@/features/accounts/api'
import { DeviceRow, useDeviceName } from '@/features/accounts/device-row'
import { googleSignInUrl } from '@/features/accounts/google-sign-in'
import { useUser } from '@/features/accounts/session'
import { clearAfterSignOut, handleSessionEnded } from '@/features/accounts/sign-in-out'
import { formatDate } from '@/lib/dates'
import { type MessageId, messageText, type RawText, useLang, useT } from '@/lib/i18n'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { PasswordField } from '@/ui/field'
import { LoadState } from '@/ui/load-state'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

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
  const [wrongPassword, setWrongPassword] = useState<MessageId | RawText | null>(null)
  const [busy, run] = useBusy()
  const password = useRef<HTMLDivElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a wrong password asks for the field again
  useEffect(() => {
    password.current?.querySelector('input')?.focus()
  }, [proof, wrongPassword])

  const ask = (wanted: SignOutTarget | null) => {
    setAsking(wanted)
    setProof(false)
    setWrongPassword(null)
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
  const signOut = async (wanted: SignOutTarget, form?: HTMLFormElement) => {
    setWrongPassword(null)
    const typed = form ? new FormData(form).get('password') : null
    try {
      if (typed !== null) await accountsApi.provePassword(String(typed))
      await end(wanted)
    } catch (error) {
      if (handleSessionEnded(error)) return
      const text = serverText(error, TEXTS)
      const code = error instanceof ApiError ? error.code : undefined
      if (code === 'password_needed') {
        setAsking(wanted)
        setProof(true)
      } else if (code === 'wrong_password') setWrongPassword(text)
      else {
        toast.error(text)
        if (code === 'fresh_login_needed') location.assign(googleSignInUrl(true))
      }
    }
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
              <DeviceItem key={device.id} device={device} onSignOut={() => signOut(device)} />
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
        <ConfirmDialog
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
          busy={busy}
          onConfirm={(form) => void run(() => signOut(asking, form))}
          onCancel={() => ask(null)}
        >
          {proof ? (
            <div ref={password}>
              <PasswordField
                label={t('password.current')}
                name="password"
                required
                autoComplete="current-password"
                error={wrongPassword ? messageText(wrongPassword) : undefined}
              />
            </div>
          ) : null}
        </ConfirmDialog>
      ) : null}
    </div>
  )
}

/** Each row has its own busy state. */
function DeviceItem({ device, onSignOut }: { device: Device; onSignOut: () => Promise<void> }) {
  const lang = useLang()
  const [busy, run] = useBusy()
  return (
    <DeviceRow
      device={device}
      lastUsed={formatDate(device.lastSeenAt, lang)}
      busy={busy}
      onSignOut={() => void run(onSignOut)}
    />
  )
}
