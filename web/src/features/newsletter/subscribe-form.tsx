import { useEffect, useState } from 'react'
import { subscribe } from '@/features/newsletter/api'
import { type MessageId, messageText, useT } from '@/lib/i18n'
import { useOnline } from '@/lib/use-online'
import { toast } from '@/ui/toast'
import { failure, useForm } from '@/ui/use-form'

const SUBSCRIBED_MS = 3000

/** The server's first view of the offers has the same form (web/first-view/part-newsletter.html). */
export function SubscribeForm({ title = 'newsletter.title' }: { title?: MessageId }) {
  const t = useT()
  const online = useOnline()
  const form = useForm({ onError: () => failure('newsletter.fail') })
  const [email, setEmail] = useState('')
  const [justSubscribed, setJustSubscribed] = useState(false)
  /** Stays until the next address is typed, because the link in the email is the next step. */
  const [asked, setAsked] = useState(false)

  useEffect(() => {
    if (!justSubscribed) return undefined
    const timer = setTimeout(() => setJustSubscribed(false), SUBSCRIBED_MS)
    return () => clearTimeout(timer)
  }, [justSubscribed])

  const submit = async () => {
    await subscribe(email.trim())
    setEmail('')
    setJustSubscribed(true)
    setAsked(true)
    toast.success('newsletter.ok')
  }

  const label: MessageId = form.busy
    ? 'newsletter.pending'
    : justSubscribed
      ? 'newsletter.subscribed'
      : 'newsletter.subscribe'

  return (
    <section className="newsletter" aria-labelledby="newsletter-title">
      <div className="newsletter-text">
        <h2 id="newsletter-title">{t(title)}</h2>
        <p>{t('newsletter.text')}</p>
      </div>
      <form method="post" className="newsletter-form" {...form.bind(submit)}>
        <label htmlFor="newsletter-email">{t('newsletter.email')}</label>
        <div className="newsletter-row">
          <input
            id="newsletter-email"
            className="input"
            type="email"
            name="email"
            required
            autoComplete="email"
            inputMode="email"
            value={email}
            aria-describedby="newsletter-note"
            aria-invalid={form.problem !== null}
            onChange={(event) => {
              setEmail(event.target.value)
              form.setProblem(null)
              setAsked(false)
            }}
          />
          <button
            type="submit"
            className="button button-accent"
            disabled={form.busy || !online}
            aria-describedby="newsletter-note"
          >
            {t(label)}
          </button>
        </div>
        <p id="newsletter-note" className="newsletter-note">
          {!online
            ? t('form.offline')
            : form.problem
              ? messageText(form.problem)
              : asked
                ? t('newsletter.confirmNote')
                : ''}
        </p>
        <span className="sr-only" role="status">
          {justSubscribed ? t('newsletter.subscribed') : ''}
        </span>
      </form>
    </section>
  )
}
