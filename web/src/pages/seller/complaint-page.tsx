import '@/styles/complaints.css'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { serverText } from '@/api/server-text'
import { type Complaint, MAX_TEXT } from '@/features/complaints/api'
import { ComplaintState, ComplaintView, reasonMessage } from '@/features/complaints/complaint-view'
import { complaintsApi, sellerComplaint } from '@/features/complaints/seller/api'
import { DaysLeft } from '@/features/complaints/seller/complaint-list'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { formatDate } from '@/lib/dates'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { formatPhone, toDialledPhone } from '@/lib/phone'
import { LongField } from '@/ui/field'
import { FormProblem } from '@/ui/form-problem'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { failure, useForm } from '@/ui/use-form'

const PROBLEM = { refused: 'seller.complaints.error', broken: 'seller.complaints.error' } as const
const OUTCOMES = ['accepted', 'partly', 'refused'] as const

/** A complaint: what the customer says, the conversation, and the decision. */
export function SellerComplaintPage() {
  const t = useT()
  usePageTitle(t('complaints.title'))
  const { id } = useParams({ strict: false }) as { id: string }
  const query = useQuery(sellerComplaint(id))
  useEffect(() => void handleSellerSessionEnded(query.error), [query.error])
  return (
    <>
      <p>
        <Link className="link" to={paths.sellerAttention}>
          ‹ {t('seller.complaints.back')}
        </Link>
      </p>
      <LoadState
        query={query}
        problem="seller.complaints.loadFailed"
        as="h1"
        skeleton={<div className="complaint-skeleton skeleton skeleton-late" aria-hidden="true" />}
      >
        {(complaint) => <Details complaint={complaint} />}
      </LoadState>
    </>
  )
}

function Details({ complaint }: { complaint: Complaint }) {
  const t = useT()
  const lang = useLang()
  const { reason, remedy, state, code, orderId, customer, phone, dueAt } = complaint
  return (
    <div className="complaint-page">
      <div className="seller-title">
        <h1>
          {t('complaints.title')}: {t(reasonMessage(reason))}
        </h1>
      </div>
      <p className="complaint-facts">
        {state === 'open' ? <DaysLeft complaint={complaint} /> : <ComplaintState state={state} />}
        {state === 'open' ? (
          <span>{t('seller.complaints.due', { date: formatDate(dueAt, lang) })}</span>
        ) : null}
        <span translate="no">{t('complaints.code', { code })}</span>
      </p>
      <dl className="complaint-details">
        <div>
          <dt>{t('seller.complaints.order')}</dt>
          <dd>
            <Link className="link" to={paths.sellerOrders} hash={orderId} data-verbatim={orderId}>
              {t('seller.complaints.toOrder', { code: orderId })}
            </Link>
          </dd>
        </div>
        <div>
          <dt>{t('seller.complaints.customer')}</dt>
          <dd>
            {customer ? <span translate="no">{customer}</span> : t('seller.complaints.customerGone')}{' '}
            {phone ? (
              <a className="link" href={`tel:${toDialledPhone(phone)}`} translate="no">
                {formatPhone(phone)}
              </a>
            ) : null}
          </dd>
        </div>
        <div>
          <dt>{t('seller.complaints.wants')}</dt>
          <dd>{t(`complaints.remedy.${remedy}` as MessageId)}</dd>
        </div>
      </dl>
      <ComplaintView complaint={complaint} own="shop" />
      <Answer complaint={complaint} />
      {state === 'open' ? <Decision complaint={complaint} /> : null}
      <p className="muted">{t('seller.complaints.refundNote')}</p>
    </div>
  )
}

function useTextForm(id: string) {
  return useForm({
    id,
    check: (read) => ({ text: read('text').trim() === '' ? 'seller.complaints.textNeeded' : undefined }),
    onError: (error) => {
      handleSellerSessionEnded(error)
      return failure(serverText(error, PROBLEM))
    },
  })
}

function Answer({ complaint: { _id } }: { complaint: Complaint }) {
  const t = useT()
  const form = useTextForm('answer')
  return (
    <form
      className="form complaint-answer"
      {...form.bind(async (read) => {
        await complaintsApi.answer(_id, read('text').trim())
        form.ref.current?.reset()
        toast.success('seller.complaints.sent')
      })}
    >
      <LongField
        label={t('seller.complaints.answerLabel')}
        rows={3}
        maxLength={MAX_TEXT}
        {...form.field('text')}
      />
      <FormProblem problem={form.problem} announced={false} />
      <SubmitButton busy={form.busy}>{t('seller.complaints.answer')}</SubmitButton>
    </form>
  )
}

function Decision({ complaint: { _id } }: { complaint: Complaint }) {
  const t = useT()
  const form = useTextForm('decision')
  const [outcome, setOutcome] = useState<(typeof OUTCOMES)[number]>('accepted')
  return (
    <form
      className="form complaint-answer"
      {...form.bind(async (read) => {
        await complaintsApi.decide(_id, outcome, read('text').trim())
        toast.success('seller.complaints.decided')
      })}
    >
      <fieldset className="complaint-choice">
        <legend>{t('seller.complaints.outcome')}</legend>
        <div className="complaint-options">
          {OUTCOMES.map((each) => (
            <label key={each}>
              <input
                type="radio"
                name="outcome"
                value={each}
                checked={outcome === each}
                onChange={() => setOutcome(each)}
              />
              {t(`complaints.state.${each}`)}
            </label>
          ))}
        </div>
      </fieldset>
      <LongField
        label={t('seller.complaints.reason')}
        hint={t('seller.complaints.decideHint')}
        rows={3}
        maxLength={MAX_TEXT}
        {...form.field('text')}
      />
      <FormProblem problem={form.problem} announced={false} />
      <SubmitButton busy={form.busy}>{t('seller.complaints.decide')}</SubmitButton>
    </form>
  )
}
