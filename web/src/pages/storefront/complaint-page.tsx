import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { serverText } from '@/api/server-text'
import { LoginButton } from '@/features/accounts/header-account'
import { prefetchSession, useUser } from '@/features/accounts/session'
import { handleSessionEnded } from '@/features/accounts/sign-in-out'
import { addMessage, type Complaint, complaint, MAX_TEXT } from '@/features/complaints/api'
import { ComplaintState, ComplaintView, reasonMessage } from '@/features/complaints/complaint-view'
import { formatDate } from '@/lib/dates'
import { useLang, useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { LongField } from '@/ui/field'
import { FormProblem } from '@/ui/form-problem'
import { ReceiptIcon } from '@/ui/icons'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { failure, useForm } from '@/ui/use-form'

/** A complaint of the shopper, with the conversation about it. */
export function ComplaintPage() {
  const t = useT()
  const { user, pending } = useUser()
  usePageTitle(t('complaints.title'))
  useEffect(() => {
    void prefetchSession('user')
  }, [])
  return (
    <div className="wrap page complaint-page">
      {user ? (
        <OwnComplaint />
      ) : pending ? (
        <h1>{t('complaints.title')}</h1>
      ) : (
        <StatePanel
          icon={<ReceiptIcon size={36} />}
          heading="h1"
          title={t('complaints.login')}
          action={<LoginButton className="button button-primary" />}
        />
      )}
    </div>
  )
}

function OwnComplaint() {
  const { id } = useParams({ from: paths.complaint })
  const query = useQuery(complaint(id))
  useEffect(() => void handleSessionEnded(query.error), [query.error])
  return (
    <LoadState
      query={query}
      problem="complaints.loadFailed"
      as="h1"
      skeleton={<div className="complaint-skeleton skeleton skeleton-late" aria-hidden="true" />}
    >
      {(found) => <Details complaint={found} />}
    </LoadState>
  )
}

const PROBLEM = { refused: 'complaints.error', broken: 'complaints.error' } as const

function Details({ complaint: found }: { complaint: Complaint }) {
  const t = useT()
  const lang = useLang()
  const form = useForm({
    id: 'message',
    check: (read) => ({ text: read('text').trim() === '' ? 'complaints.textNeeded' : undefined }),
    onError: (error) => (handleSessionEnded(error) ? undefined : failure(serverText(error, PROBLEM))),
  })
  return (
    <>
      <h1>
        {t('complaints.title')}: {t(reasonMessage(found.reason))}
      </h1>
      <p className="complaint-facts">
        <ComplaintState state={found.state} />
        <span translate="no">{t('complaints.code', { code: found.code })}</span>
        <Link className="link" to={paths.orders} hash={found.orderId}>
          {t('complaints.toOrder')}
        </Link>
      </p>
      {found.state === 'open' ? (
        <p role="status">{t('complaints.answerBy', { date: formatDate(found.dueAt, lang) })}</p>
      ) : null}
      <ComplaintView complaint={found} own="shopper" />
      <form
        className="form complaint-answer"
        {...form.bind(async (read) => {
          await addMessage(found._id, read('text').trim())
          form.ref.current?.reset()
          toast.success('complaints.sent')
        })}
      >
        <LongField label={t('complaints.message')} rows={3} maxLength={MAX_TEXT} {...form.field('text')} />
        <FormProblem problem={form.problem} announced={false} />
        <SubmitButton busy={form.busy}>{t('complaints.send')}</SubmitButton>
      </form>
    </>
  )
}
