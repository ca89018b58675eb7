import '@/styles/complaints.css'
import type { ReactNode } from 'react'
import type { Complaint } from '@/features/complaints/api'
import { formatDateTime } from '@/lib/dates-time'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { formatNumber } from '@/lib/money'

const REASONS = {
  damaged: 'complaints.reason.damaged',
  missing: 'complaints.reason.missing',
  wrong: 'complaints.reason.wrong',
  late: 'complaints.reason.late',
  quality: 'complaints.reason.quality',
  other: 'complaints.reason.other',
} satisfies Record<string, MessageId>
const STATES = {
  open: 'complaints.state.open',
  accepted: 'complaints.state.accepted',
  partly: 'complaints.state.partly',
  refused: 'complaints.state.refused',
} satisfies Record<string, MessageId>

export const reasonMessage = (reason: string): MessageId =>
  REASONS[reason as keyof typeof REASONS] ?? 'complaints.reason.other'

export function ComplaintState({ state }: { state: string }) {
  const t = useT()
  return (
    <span className="complaint-state" data-state={state}>
      {t(STATES[state as keyof typeof STATES] ?? 'complaints.state.open')}
    </span>
  )
}

/** The products that a complaint is about: 2 × Rice. */
function ComplaintItems({ items }: { items: Complaint['items'] }) {
  const lang = useLang()
  if (items.length === 0) return null
  return (
    <ul className="complaint-items">
      {items.map((item) => (
        <li key={item.product}>
          {formatNumber(item.quantity, lang)} × <span translate="no">{localText(item, 'name', lang)}</span>
        </li>
      ))}
    </ul>
  )
}

/** What was reported, what both sides wrote, and the outcome. `own` is the side that reads it. */
export function ComplaintView({ complaint, own }: { complaint: Complaint; own: 'shopper' | 'shop' }) {
  const t = useT()
  const lang = useLang()
  const author = (from: string) =>
    from === 'shop'
      ? t('complaints.fromShop')
      : own === 'shopper'
        ? t('complaints.fromYou')
        : complaint.customer || t('complaints.fromYou')
  return (
    <section className="complaint-talk" aria-label={t('complaints.conversation')}>
      <ul>
        <Message
          mine={own === 'shopper'}
          author={author('shopper')}
          at={complaint.createdAt}
          text={complaint.text}
        >
          <ComplaintItems items={complaint.items} />
          {complaint.photos.length > 0 ? (
            <ul className="complaint-photos">
              {complaint.photos.map((photo, index) => (
                <li key={photo}>
                  <a href={photo} target="_blank" rel="noopener">
                    <img
                      src={`${photo}?small=true`}
                      alt={t('complaints.photo', { n: formatNumber(index + 1, lang) })}
                      loading="lazy"
                      width={96}
                      height={96}
                    />
                  </a>
                </li>
              ))}
            </ul>
          ) : null}
        </Message>
        {complaint.messages.map(({ _id, from, text, createdAt }) => (
          <Message key={_id} mine={from === own} author={author(from)} at={createdAt} text={text} />
        ))}
        {complaint.decidedAt ? (
          <Message
            mine={own === 'shop'}
            author={t('complaints.decided')}
            at={complaint.decidedAt}
            text={complaint.outcomeText}
          >
            <ComplaintState state={complaint.state} />
          </Message>
        ) : null}
      </ul>
    </section>
  )
}

type MessageProps = { mine: boolean; author: string; at: string; text: string; children?: ReactNode }

function Message({ mine, author, at, text, children }: MessageProps) {
  const lang = useLang()
  return (
    <li className="complaint-message" data-mine={mine} data-testid="complaint-message">
      <p className="complaint-author">
        <strong>{author}</strong>
        <time className="muted" dateTime={at}>
          {formatDateTime(at, lang)}
        </time>
      </p>
      {children}
      <p className="complaint-text" translate="no">
        {text}
      </p>
    </li>
  )
}
