import '@/styles/seller-newsletters.css'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { serverText } from '@/api/server-text'
import { NewsletterComposer } from '@/features/newsletter/seller/newsletter-composer'
import {
  type Newsletter,
  type NewsletterAction,
  newsletters,
  newslettersApi,
} from '@/features/newsletter/seller/newsletters-api'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { formatDateTime } from '@/lib/dates-time'
import { type MessageId, type RawText, useLang, useT } from '@/lib/i18n'
import { formatNumber } from '@/lib/money'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { EnvelopeIcon } from '@/ui/icons-seller'
import { LoadState } from '@/ui/load-state'
import { StatePanel } from '@/ui/state-panel'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

const PROBLEM = { refused: 'seller.newsletters.problem', broken: 'seller.newsletters.problem' } as const
const STATES = {
  draft: 'seller.newsletters.state.draft',
  sending: 'seller.newsletters.state.sending',
  paused: 'seller.newsletters.state.paused',
  sent: 'seller.newsletters.state.sent',
  cancelled: 'seller.newsletters.state.cancelled',
} satisfies Record<string, MessageId>

type Question = { newsletter: Newsletter; about: 'send' | 'cancel' | 'delete' }

/** All newsletters with their progress, and what can be done with each. */
export function NewsletterList() {
  const t = useT()
  const lang = useLang()
  const query = useQuery(newsletters)
  const [editing, setEditing] = useState<Newsletter | 'new' | null>(null)
  const [question, setQuestion] = useState<Question | null>(null)
  const [busy, run] = useBusy()
  useEffect(() => void handleSellerSessionEnded(query.error), [query.error])

  const act = (work: () => Promise<string | undefined>) =>
    run(async () => {
      try {
        const said = await work()
        if (said) toast.success(said as RawText)
      } catch (error) {
        handleSellerSessionEnded(error)
        toast.error(serverText(error, PROBLEM))
      }
      setQuestion(null)
    })
  const change = (newsletter: Newsletter, action: NewsletterAction) =>
    void act(() => newslettersApi.change(newsletter._id, action))
  const remove = ({ _id }: Newsletter) =>
    void act(async () => {
      await newslettersApi.remove(_id)
      return undefined
    })

  return (
    <>
      <LoadState
        query={query}
        problem="seller.newsletters.loadFailed"
        skeleton={<div className="seller-table-skeleton skeleton" aria-hidden="true" />}
      >
        {({ newsletters: list, confirmed, unasked, nextAt }) => (
          <>
            <div className="newsletter-status">
              <p>{t('seller.newsletters.recipients', { n: confirmed })}</p>
              {nextAt ? (
                <p>{t('seller.newsletters.nextAt', { when: formatDateTime(nextAt, lang) })}</p>
              ) : null}
              {unasked > 0 ? (
                <p>
                  {t('seller.newsletters.askOldText', { n: unasked })}{' '}
                  <button
                    type="button"
                    className="link"
                    disabled={busy}
                    onClick={() => void act(newslettersApi.askUnconfirmed)}
                  >
                    {t('seller.newsletters.askOld')}
                  </button>
                </p>
              ) : null}
            </div>
            <button type="button" className="button button-primary" onClick={() => setEditing('new')}>
              {t('seller.newsletters.another')}
            </button>
            {list.length === 0 ? (
              <StatePanel
                icon={<EnvelopeIcon size={36} />}
                title={t('seller.newsletters.empty')}
                text={t('seller.newsletters.emptyText')}
              />
            ) : (
              <ul className="newsletters">
                {list.map((newsletter) => (
                  <li key={newsletter._id}>
                    <NewsletterCard
                      newsletter={newsletter}
                      busy={busy}
                      onEdit={() => setEditing(newsletter)}
                      onAsk={(about) => setQuestion({ newsletter, about })}
                      onChange={(action) => change(newsletter, action)}
                    />
                  </li>
                ))}
              </ul>
            )}
            {question ? (
              <ConfirmDialog
                id="newsletter-question"
                title={t(`seller.newsletters.${question.about}Title`)}
                text={
                  question.about === 'send'
                    ? t('seller.newsletters.sendText', { n: confirmed })
                    : t(`seller.newsletters.${question.about}Text`)
                }
                confirm={t(`seller.newsletters.${question.about}`)}
                {...(question.about === 'cancel' ? { keep: t('seller.newsletters.keep') } : {})}
                busy={busy}
                onConfirm={() =>
                  question.about === 'delete'
                    ? remove(question.newsletter)
                    : change(question.newsletter, question.about)
                }
                onCancel={() => setQuestion(null)}
              />
            ) : null}
          </>
        )}
      </LoadState>
      {editing ? (
        <NewsletterComposer draft={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      ) : null}
    </>
  )
}

type CardProps = {
  newsletter: Newsletter
  busy: boolean
  onEdit: () => void
  onAsk: (about: Question['about']) => void
  onChange: (action: NewsletterAction) => void
}

function NewsletterCard({ newsletter, busy, onEdit, onAsk, onChange }: CardProps) {
  const t = useT()
  const lang = useLang()
  const { state, subject, subjectNe, updatedAt, startedAt, finishedAt } = newsletter
  const { queued, sent, failed, unsubscribed } = newsletter
  const all = queued + sent + failed
  const button = (label: MessageId, onClick: () => void, style = 'button-outline') => (
    <button type="button" className={`button ${style}`} disabled={busy} onClick={onClick}>
      {t(label)}
    </button>
  )
  return (
    <article className="newsletter-card" data-testid="newsletter" data-state={state}>
      <div className="newsletter-head">
        <h2 translate="no">{lang === 'ne' ? subjectNe : subject}</h2>
        <span className="newsletter-state">{t(STATES[state as keyof typeof STATES] ?? STATES.draft)}</span>
      </div>
      <p className="muted">{formatDateTime(finishedAt ?? startedAt ?? updatedAt, lang)}</p>
      {state === 'draft' ? null : (
        <>
          <progress
            className="upload"
            value={sent + failed}
            max={Math.max(all, 1)}
            aria-label={t('seller.newsletters.progress', {
              done: formatNumber(sent, lang),
              all: formatNumber(all, lang),
            })}
          />
          <ul className="newsletter-counts" role="status">
            {queued > 0 ? <li>{t('seller.newsletters.queuedCount', { n: queued })}</li> : null}
            <li>{t('seller.newsletters.sentCount', { n: sent })}</li>
            {failed > 0 ? <li>{t('seller.newsletters.failedCount', { n: failed })}</li> : null}
            {unsubscribed > 0 ? (
              <li>{t('seller.newsletters.unsubscribedCount', { n: unsubscribed })}</li>
            ) : null}
          </ul>
        </>
      )}
      <div className="button-row">
        {state === 'draft' ? button('seller.newsletters.send', () => onAsk('send'), 'button-primary') : null}
        {state === 'draft' ? button('seller.newsletters.edit', onEdit) : null}
        {state === 'draft'
          ? button('seller.newsletters.delete', () => onAsk('delete'), 'button-plain-danger')
          : null}
        {state === 'sending' ? button('seller.newsletters.pause', () => onChange('pause')) : null}
        {state === 'paused' ? button('seller.newsletters.resume', () => onChange('resume')) : null}
        {state === 'sending' || state === 'paused'
          ? button('seller.newsletters.cancel', () => onAsk('cancel'), 'button-plain-danger')
          : null}
      </div>
    </article>
  )
}
