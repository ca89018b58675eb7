import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient } from '@/api/query-client'
import { serverText } from '@/api/server-text'
import { accountsApi, type LinkedIdentity, userQueries } from '@/features/accounts/api'
import type { User } from '@/features/accounts/session'
import { handleSessionEnded, setSignedIn } from '@/features/accounts/sign-in-out'
import { formatDate } from '@/lib/dates'
import { useLang, useT } from '@/lib/i18n'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { LoadState } from '@/ui/load-state'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

const TEXTS = { refused: 'auth.generic', broken: 'auth.generic' } as const

/** The Google accounts that can sign in to this account, each with a button to remove it. */
export function IdentitiesSection({ user }: { user: User }) {
  const t = useT()
  const lang = useLang()
  const identities = useQuery(userQueries.identities)
  const [removing, setRemoving] = useState<LinkedIdentity>()
  const [busy, run] = useBusy()
  const nameOf = ({ email }: LinkedIdentity) => email || t('identities.unknown')
  const remove = ({ id }: LinkedIdentity) =>
    run(async () => {
      try {
        await accountsApi.removeIdentity(id)
        const left = identities.data?.filter((one) => one.id !== id) ?? []
        queryClient.setQueryData(userQueries.identities.queryKey, left)
        setRemoving(undefined)
        toast.success('identities.removed')
        await setSignedIn({ ...user, google: left.length > 0 })
      } catch (error) {
        if (handleSessionEnded(error)) return
        setRemoving(undefined)
        toast.error(serverText(error, TEXTS))
      }
    })
  return (
    <div className="form">
      <LoadState
        query={identities}
        problem="identities.problem"
        skeleton={<div className="disclosure-skeleton skeleton" />}
      >
        {(list) => (
          <>
            <ul className="rows">
              {list.map((identity) => (
                <li key={identity.id}>
                  <div>
                    <p className="row-title" translate="no">
                      {nameOf(identity)}
                    </p>
                    <p className="muted">
                      {t('identities.since', { date: formatDate(identity.linkedAt, lang) })}
                    </p>
                  </div>
                  {user.hasPassword || list.length > 1 ? (
                    <button
                      type="button"
                      className="button button-plain"
                      aria-label={t('identities.removeOf', { account: nameOf(identity) })}
                      onClick={() => setRemoving(identity)}
                    >
                      {t('identities.remove')}
                    </button>
                  ) : null}
                </li>
              ))}
            </ul>
            {user.hasPassword || list.length > 1 ? null : (
              <p className="field-hint">{t('identities.onlyWay')}</p>
            )}
          </>
        )}
      </LoadState>
      {removing ? (
        <ConfirmDialog
          id="remove-identity"
          title={t('identities.removeTitle')}
          text={t('identities.removeText')}
          about={nameOf(removing)}
          confirm={t('identities.remove')}
          busy={busy}
          onConfirm={() => void remove(removing)}
          onCancel={() => setRemoving(undefined)}
        />
      ) : null}
    </div>
  )
}
