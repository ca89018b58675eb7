import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '@/api/client'
import { queryClient } from '@/api/query-client'
import { serverText } from '@/api/server-text'
import { DeviceRow, useDeviceName } from '@/features/accounts/device-row'
import { type SellerDevice, securityApi, sellerDevices } from '@/features/seller/security-api'
import { handleSellerSessionEnded } from '@/features/seller/session-ended'
import { formatDateTime } from '@/lib/dates-time'
import { type MessageId, messageText, type RawText, useLang, useT } from '@/lib/i18n'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { PasswordField } from '@/ui/field'
import { LoadState } from '@/ui/load-state'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

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
  const [problem, setProblem] = useState<MessageId | RawText | null>(null)
  const [busy, run] = useBusy()

  const signOut = ({ device }: PendingSignOut, password?: string) =>
    run(async () => {
      setProblem(null)
      toast.dismissAll()
      try {
        await securityApi.signOut(device?.id, password)
        queryClient.setQueryData<SellerDevice[]>(sellerDevices.queryKey, (list) =>
          list?.filter(({ id, current }) => (device ? id !== device.id : current)),
        )
        setPendingSignOut(null)
        toast.success(device ? 'devices.deviceSignedOut' : 'seller.security.othersSignedOut')
      } catch (error) {
        if (handleSellerSessionEnded(error)) return
        const code = error instanceof ApiError ? error.code : ''
        if (code === 'password_needed')
          return setPendingSignOut({ ...(device ? { device } : {}), withPassword: true })
        const text = serverText(error, TEXTS)
        toast.error(text)
        // Only the password can be typed again; after any other error the list is refetched.
        if (code === 'wrong_password') return setProblem(text)
        setPendingSignOut(null)
        void devices.refetch()
      }
    })
  const close = () => {
    setPendingSignOut(null)
    setProblem(null)
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
                  busy={busy}
                  onSignOut={() => void signOut({ device, withPassword: false })}
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
        <ConfirmDialog
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
          busy={busy}
          onConfirm={(form) => {
            const password = new FormData(form).get('password')
            void signOut(pendingSignOut, password === null ? undefined : String(password))
          }}
          onCancel={close}
        >
          {pendingSignOut.withPassword ? (
            <PasswordField
              label={t('password.current')}
              name="password"
              required
              autoComplete="current-password"
              error={problem ? messageText(problem) : undefined}
            />
          ) : null}
        </ConfirmDialog>
      ) : null}
    </div>
  )
}
