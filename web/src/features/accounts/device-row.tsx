import type { ReactNode } from 'react'
import { useT } from '@/lib/i18n'

/** Translates the server's device name, such as 'Chrome on Android'. */
export function useDeviceName() {
  const t = useT()
  return ({ device }: { device: string }) => {
    const [browser = '', system] = device.split(' on ')
    return system ? t('devices.on', { browser, system }) : browser || t('devices.unknown')
  }
}

type DeviceRowProps = {
  device: { device: string; current: boolean }
  /** The formatted time of the last use. */
  lastUsed: string
  busy: boolean
  onSignOut: () => void
  /** More facts about the device, below its name. */
  children?: ReactNode
}

/** A browser with a session; each one except this browser can be signed out. */
export function DeviceRow({ device, lastUsed, busy, onSignOut, children }: DeviceRowProps) {
  const t = useT()
  const name = useDeviceName()(device)
  return (
    <li>
      <div>
        <p className="row-title">
          <span translate="no">{name}</span>{' '}
          {device.current ? <span className="badge badge-current">{t('devices.current')}</span> : null}
        </p>
        <p className="muted">{t('devices.lastUsed', { date: lastUsed })}</p>
        {children}
      </div>
      {device.current ? null : (
        <button
          type="button"
          className="button button-plain"
          aria-label={t('devices.signOutOf', { device: name })}
          aria-busy={busy}
          onClick={onSignOut}
        >
          {t('devices.signOut')}
        </button>
      )}
    </li>
  )
}
