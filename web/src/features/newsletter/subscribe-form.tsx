import { useEffect, useId, useState } from 'react'
import { useSubscribe } from '@/features/newsletter/api'
import { type MessageId, useT } from '@/lib/i18n'
import { useOnline } from '@/lib/use-online'
import { toast } from '@/ui/toast'

const SUBSCRIBED_MS = 3000

export function SubscribeForm({ title = 'newsletter.title' }: { title?: MessageId }) {
  const t = useT()
  const online = useOnline()
  const subscribe = useSubscribe()
  const [email, setEmail] = useState('')
  const [justSubscribed, setJustSubscribed] = useState(false)
  const id = useId()

  useEffect(() => {
    if (!justSubscribed) return undefined
    const timer = setTimeout(() => setJustSubscribed(false), SUBSCRIBED_MS)
    return () => clearTimeout(timer)
  }, [justSubscribed])

  const submit = () =>
    subscribe.mutate(email.trim(), {
      onSuccess: () => {
        setEmail('')
        setJustSubscribed(true)
        toast.success('newsletter.ok')
      },
      onError: () => toast.error('newsletter.fail'),
    })

  const label: MessageId = subscribe.isPending
    ? 'newsletter.pending'
    : justSubscribed
      ? 'newsletter.subscribed'
      : 'newsletter.subscribe'

  return (
    <section className="newsletter" aria-labelledby={`${id}-title`}>
      <div className="newsletter-text">
        <h2 id={`${id}-title`}>{t(title)}</h2>
        <p>{t('newsletter.text')}</p>
      </div>
      <form
        method="post"
        className="newsletter-form"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <label htmlFor={`${id}-email`}>{t('newsletter.email')}</label>
        <div className="newsletter-row">
          <input
            id={`${id}-email`}
            className="input"
            type="email"
            name="email"
            required
            autoComplete="email"
            inputMode="email"
            value={email}
            aria-describedby={`${id}-note`}
            aria-invalid={subscribe.isError}
            onChange={(event) => {
              setEmail(event.target.value)
              if (subscribe.isError) subscribe.reset()
            }}
          />
          <button
            type="submit"
            className="button button-accent"
            disabled={subscribe.isPending || !online}
            aria-describedby={`${id}-note`}
          >
            {t(label)}
          </button>
        </div>
        <p id={`${id}-note`} className="newsletter-note">
          {!online ? t('offline.bar') : subscribe.isError ? t('newsletter.fail') : ''}
        </p>
        <span className="sr-only" role="status">
          {justSubscribed ? t('newsletter.subscribed') : ''}
        </span>
      </form>
    </section>
  )
}
