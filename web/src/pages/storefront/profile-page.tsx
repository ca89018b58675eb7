import '@/styles/account.css'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { queryClient } from '@/api/query-client'
import { ProfileView } from '@/features/accounts/profile-view'
import { prefetchSession, type User, useUser } from '@/features/accounts/session'
import { addressesQuery } from '@/features/addresses/api'
import { loadWithMessages, useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { Disclosure } from '@/ui/disclosure'
import { PinIcon } from '@/ui/icons'
import { DeviceIcon, FileIcon, GoogleMark, LockIcon } from '@/ui/icons-forms'
import { BellIcon } from '@/ui/icons-seller'
import { lazyWithRetry } from '@/ui/lazy-with-retry'
import { usePageTitle } from '@/ui/page-title'

const BLANK = <div className="disclosure-skeleton skeleton" />
const ProfileForm = lazyWithRetry(
  async () => (await import('@/features/accounts/profile-form')).ProfileForm,
  <div className="profile-skeleton skeleton" />,
)
const Addresses = lazyWithRetry(
  async () => (await import('@/features/addresses/address-list')).AddressList,
  BLANK,
)
const Password = lazyWithRetry(
  async () => (await import('@/features/accounts/password-section')).PasswordSection,
  BLANK,
)
const Identities = lazyWithRetry(
  async () => (await import('@/features/accounts/identities-section')).IdentitiesSection,
  BLANK,
)
const Devices = lazyWithRetry(
  async () => (await import('@/features/accounts/devices-section')).DevicesSection,
  BLANK,
)
const Alerts = lazyWithRetry(
  async () =>
    (
      await loadWithMessages(
        'features/alerts/alerts-section',
        () => import('@/features/alerts/alerts-section'),
      )
    ).AlertsSection,
  BLANK,
)
const Data = lazyWithRetry(async () => (await import('@/features/accounts/data-section')).DataSection, BLANK)

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Set by the cart's 'Edit address': the id of the address to edit, or '' when there is none yet. */
    editAddress?: string
  }
}

export function ProfilePage() {
  const t = useT()
  const navigate = useNavigate()
  const { user, pending } = useUser()
  usePageTitle(t('nav.profile'))
  useEffect(() => {
    void prefetchSession('user')
  }, [])
  useEffect(() => {
    if (!pending && !user) void navigate({ to: paths.home, replace: true })
  }, [pending, user, navigate])

  return (
    <div className="wrap page profile">
      <h1>{t('nav.profile')}</h1>
      {user ? <Profile user={user} /> : <div className="box profile-skeleton skeleton" aria-busy="true" />}
    </div>
  )
}

function Profile({ user }: { user: User }) {
  const t = useT()
  const navigate = useNavigate()
  const wanted = useLocation({ select: ({ state }) => state.editAddress })
  const [editing, setEditing] = useState(wanted === '')
  const edit = useRef<HTMLButtonElement>(null)
  const edited = useRef(false)
  useEffect(() => {
    if (!editing && edited.current) edit.current?.focus()
    edited.current = editing
  }, [editing])
  /** Returns to the cart and replaces the form in the history, so that Back does not lead to it again. */
  const toCart = () => void navigate({ to: paths.cart, replace: true })
  return (
    <>
      <section className="box" aria-label={t('nav.profile')}>
        {editing ? (
          <ProfileForm
            user={user}
            focusOn={wanted === '' ? 'address' : 'name'}
            onSaved={async () => {
              await queryClient.invalidateQueries({ queryKey: addressesQuery.queryKey })
              if (wanted === '') toCart()
            }}
            onClose={() => setEditing(false)}
          />
        ) : (
          <ProfileView user={user} editRef={edit} onEdit={() => setEditing(true)} />
        )}
      </section>
      <Disclosure
        title={t('address.saved')}
        text={t('address.savedText')}
        icon={<PinIcon size={24} />}
        open={Boolean(wanted)}
      >
        {() => <Addresses open={wanted} onOpenedSaved={toCart} />}
      </Disclosure>
      <Disclosure title={t('auth.password')} text={t('password.text')} icon={<LockIcon size={24} />}>
        {() => <Password user={user} />}
      </Disclosure>
      {user.google ? (
        <Disclosure title={t('identities.title')} text={t('identities.text')} icon={<GoogleMark />}>
          {() => <Identities user={user} />}
        </Disclosure>
      ) : null}
      <Disclosure title={t('alerts.title')} text={t('alerts.text')} icon={<BellIcon size={24} />}>
        {() => <Alerts />}
      </Disclosure>
      <Disclosure title={t('devices.title')} text={t('devices.text')} icon={<DeviceIcon size={24} />}>
        {() => <Devices />}
      </Disclosure>
      <Disclosure title={t('data.title')} text={t('data.text')} icon={<FileIcon size={24} />}>
        {() => <Data user={user} />}
      </Disclosure>
    </>
  )
}
