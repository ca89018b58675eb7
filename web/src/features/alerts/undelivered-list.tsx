import '@/styles/alerts.css'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { queryClient } from '@/api/query-client'
import { serverText } from '@/api/server-text'
import { alertsApi, type Undelivered, undelivered } from '@/features/alerts/api'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { formatDateTime } from '@/lib/dates-time'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

const ABOUT: Record<string, MessageId> = {
  new_order: 'seller.undelivered.newOrder',
  order_not_opened: 'seller.undelivered.notOpened',
  order_changed: 'seller.undelivered.changed',
  back_in_stock: 'seller.undelivered.backInStock',
  'orders.send_email': 'seller.undelivered.changed',
}
const CHANNELS: Record<string, MessageId> = {
  push: 'seller.undelivered.push',
  email: 'seller.undelivered.email',
  sms: 'seller.undelivered.sms',
}

/** Messages that could not be delivered; nothing is shown when there are none. */
export function UndeliveredList() {
  const t = useT()
  const id = useId()
  const { data = [] } = useQuery(undelivered)
  if (data.length === 0) return null
  return (
    <section className="undelivered" aria-labelledby={id}>
      <h2 id={id}>{t('seller.undelivered.title')}</h2>
      <p className="muted">{t('seller.undelivered.text')}</p>
      <ul>
        {data.map((message) => (
          <UndeliveredRow key={message.id} message={message} />
        ))}
      </ul>
    </section>
  )
}

function UndeliveredRow({ message }: { message: Undelivered }) {
  const t = useT()
  const lang = useLang()
  const [busy, run] = useBusy()
  const about = t(ABOUT[message.about] ?? 'seller.undelivered.other')
  const retry = () =>
    run(async () => {
      try {
        await alertsApi.retry(message.id)
        toast.success('seller.undelivered.retrying')
      } catch (error) {
        if (handleSellerSessionEnded(error)) return
        toast.error(
          serverText(error, { refused: 'seller.undelivered.failed', broken: 'seller.undelivered.failed' }),
        )
      }
      await queryClient.invalidateQueries({ queryKey: undelivered.queryKey })
    })
  return (
    <li data-testid="undelivered">
      <div>
        <strong>
          {about}
          {message.order ? <span translate="no"> #{message.order}</span> : null}
        </strong>
        <span className="muted">
          {t(CHANNELS[message.channel] ?? 'seller.undelivered.email')}
          {' · '}
          {message.recipient ? (
            <span translate="no">{message.recipient}</span>
          ) : (
            t('seller.undelivered.customer')
          )}
          {' · '}
          {formatDateTime(message.failedAt, lang)}
        </span>
        <span className="muted" lang="en" data-verbatim={message.problem}>
          {message.problem}
        </span>
      </div>
      <button type="button" className="button button-outline" aria-busy={busy} onClick={() => void retry()}>
        {t('seller.undelivered.retry')}
        <span className="sr-only">
          {' '}
          {about} {message.order}
        </span>
      </button>
    </li>
  )
}
