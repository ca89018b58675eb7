import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { serverText } from '@/api/server-text'
import { DeviceRow, useDeviceName } from '@/features/accounts/device-row'
import { type SellerDevice, securityApi, sellerDevices } from '@/features/staff/security-api'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { formatDateTime } from '@/lib/dates-time'
import { useLang, useT } from '@/lib/i18n'
import { LoadState } from '@/ui/load-state'
import { PasswordDialog } from '@/ui/password-dialog'
import { toast } from '@/ui/toast'
import { failure, useForm } from '@/ui/use-form'

const TEXTS = { refused: 'auth.generic', broken: 'auth.generic' } as const

const hereFirst = (a: SellerDevice, b: SellerDevice) => Number(b.current) - Number(a.current)

/** The device to sign out; without one, all other devices. */
type PendingSignOut = { device?: SellerDevice; withPassword: boolean }

/** The seller's sessions. Some time after the login the server requires the password to end another session. */
export function SellerDevices() {
  const t = useT()
  const devices = useQuery(sellerDevices)
  const lang = useLang()
  const name = useDeviceName()
  const [pendingSignOut, setPendingSignOut] = useState<PendingSignOut | null>(null)
  const form = useForm<'password'>({
    onError: (error) => {
      if (handleSellerSessionEnded(error)) return undefined
      const text = serverText(error, TEXTS)
      // Only the password can be typed again; after any other error the list is refetched.
      if (error instanceof ApiError && error.code === 'wrong_password') return failure(text, 'password')
      setPendingSignOut(null)
      void devices.refetch()
      return { toast: text }
    },
  })

  const signOut = ({ device, withPassword }: PendingSignOut) =>
    form.send(async () => {
      try {
        await securityApi.signOut(device?.id, withPassword ? form.read('password') : undefined)
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'password_needed') throw error
        return setPendingSignOut({ ...(device ? { device } : {}), withPassword: true })
      }
      queryClient.setQueryData<SellerDevice[]>(sellerDevices.queryKey, (list) =>
        list?.filter(({ id, current }) => (device ? id !== device.id : current)),
      )
      setPendingSignOut(null)
      return toast.success(device ? 'devices.deviceSignedOut' : 'seller.security.othersSignedOut')
    })
  const close = () => {
    setPendingSignOut(null)
    form.reset()
  }
  return (
    <div className="form">
      <LoadState
        query={devices}
        problem="devices.problem"
        skeleton={<div className="disclosure-skeleton skeleton" />}
      >
        {(list) => (
          <>
            <ul className="rows">
              {[...list].sort(hereFirst).map((device) => (
                <DeviceRow
                  key={device.id}
                  device={device}
                  lastUsed={formatDateTime(device.lastSeenAt, lang)}
                  busy={form.busy}
                  onSignOut={() => signOut({ device, withPassword: false })}
                >
                  {device.ip ? (
                    <p className="muted">
                      {t('seller.security.networkAddress')} <span translate="no">{device.ip}</span>
                    </p>
                  ) : null}
                </DeviceRow>
              ))}
            </ul>
            {list.length > 1 ? (
              <div className="button-row">
                <button
                  type="button"
                  className="button button-outline"
                  onClick={() => setPendingSignOut({ withPassword: false })}
                >
                  {t('seller.security.signOutOthers')}
                </button>
              </div>
            ) : null}
          </>
        )}
      </LoadState>
      {pendingSignOut ? (
        <PasswordDialog
          id="sign-out"
          title={
            pendingSignOut.device
              ? t('devices.signOutOf', { device: name(pendingSignOut.device) })
              : t('seller.security.othersTitle')
          }
          text={t(
            pendingSignOut.withPassword ? 'seller.security.passwordText' : 'seller.security.othersText',
          )}
          confirm={t(pendingSignOut.device ? 'devices.signOut' : 'seller.security.signOutOthers')}
          form={form}
          withPassword={pendingSignOut.withPassword}
          focusPassword={pendingSignOut.withPassword}
          onConfirm={() => signOut(pendingSignOut)}
          onCancel={close}
        />
      ) : null}
    </div>
  )
}
