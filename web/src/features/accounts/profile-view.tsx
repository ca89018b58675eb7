import { Link } from '@tanstack/react-router'
import { type Ref, useState } from 'react'
import { serverText } from '@/api/server-text'
import { accountsApi } from '@/features/accounts/api'
import { Avatar } from '@/features/accounts/avatar'
import type { User } from '@/features/accounts/session'
import { handleSessionEnded } from '@/features/accounts/sign-in-out'
import { formatDate } from '@/lib/dates'
import { settings } from '@/lib/first-data'
import { loadWithMessages, useLang, useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { formatPhone } from '@/lib/phone'
import { PencilIcon } from '@/ui/icons-forms'
import { lazyWithRetry } from '@/ui/lazy-with-retry'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

type ProfileViewProps = { user: User; editRef: Ref<HTMLButtonElement>; onEdit: () => void }

export function ProfileView({ user, editRef, onEdit }: ProfileViewProps) {
  const t = useT()
  const lang = useLang()
  const day = (iso: string) => <time dateTime={iso}>{formatDate(iso, lang)}</time>
  return (
    <>
      <div className="profile-head">
        <Avatar user={user} big />
        <div>
          <dl>
            <div>
              <dt className="sr-only">{t('profile.name')}</dt>
              <dd className="profile-name" translate="no">
                {user.name}
              </dd>
            </div>
          </dl>
          <button ref={editRef} type="button" className="button button-outline" onClick={onEdit}>
            <PencilIcon />
            {t('profile.edit')}
          </button>
        </div>
      </div>
      <EmailNotice user={user} />
      <dl className="facts">
        <Fact label={t('auth.email')}>
          <span translate="no">{user.email}</span>
        </Fact>
        <Fact label={t('auth.phone')}>{user.phone ? <Phone user={user} /> : null}</Fact>
        <Fact label={t('profile.address')}>
          {user.address ? (
            <p translate="no">{user.address}</p>
          ) : (
            <Link className="link" to={paths.addAddress}>
              {t('profile.fullAddress')}
            </Link>
          )}
        </Fact>
        <Fact label={t('profile.created')}>{day(user.createdAt)}</Fact>
        <Fact label={t('profile.updated')}>{day(user.updatedAt)}</Fact>
      </dl>
    </>
  )
}

const ConfirmPhone = lazyWithRetry(
  async () =>
    (
      await loadWithMessages(
        'features/accounts/confirm-phone',
        () => import('@/features/accounts/confirm-phone'),
      )
    ).ConfirmPhone,
)

/** The number, and whether it is confirmed; without an SMS provider nothing can be confirmed. */
function Phone({ user }: { user: User }) {
  const t = useT()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <p translate="no">{formatPhone(user.phone)}</p>
      {user.phoneVerified ? (
        <p className="muted">{t('phoneCode.isConfirmed')}</p>
      ) : settings.phoneSignIn ? (
        <button type="button" className="link" onClick={() => setAsking(true)}>
          {t('phoneCode.confirmTitle')}
        </button>
      ) : null}
      {asking ? <ConfirmPhone user={user} onClose={() => setAsking(false)} /> : null}
    </>
  )
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  const t = useT()
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children ?? <span className="muted">{t('profile.none')}</span>}</dd>
    </div>
  )
}

/** Shows an email address that is not confirmed yet, with a button that sends the email again. */
function EmailNotice({ user }: { user: User }) {
  const t = useT()
  const [busy, run] = useBusy()
  const email = user.pendingEmail ?? (user.emailConfirmed ? null : user.email)
  if (!email) return null
  const resend = () =>
    run(async () => {
      try {
        await accountsApi.resendConfirmation()
        toast.success('profile.resent')
      } catch (error) {
        handleSessionEnded(error)
        toast.error(serverText(error, { refused: 'auth.generic', broken: 'auth.generic' }))
      }
    })
  return (
    <div className="notice">
      <p>{t(user.pendingEmail ? 'profile.pendingEmail' : 'profile.unconfirmed', { email })}</p>
      <button type="button" className="link" aria-busy={busy} onClick={() => void resend()}>
        {t('profile.resend')}
      </button>
    </div>
  )
}
