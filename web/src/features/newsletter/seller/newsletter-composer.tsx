import { useState } from 'react'
import { serverText } from '@/api/server-text'
import {
  type Newsletter,
  type NewsletterPreview,
  type NewsletterTexts,
  newslettersApi,
} from '@/features/newsletter/seller/newsletters-api'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import type { Lang } from '@/lib/first-data'
import { type RawText, useLang, useT } from '@/lib/i18n'
import { Dialog } from '@/ui/dialog'
import { LongField, TextField } from '@/ui/field'
import { FormProblem } from '@/ui/form-problem'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { failure, useForm } from '@/ui/use-form'

const PROBLEM = { refused: 'seller.newsletters.problem', broken: 'seller.newsletters.problem' } as const
const PREVIEW_PROBLEM = {
  refused: 'seller.newsletters.previewFailed',
  broken: 'seller.newsletters.previewFailed',
} as const
const EMPTY: NewsletterTexts = { subject: '', subjectNe: '', body: '', bodyNe: '' }

/** Writes a newsletter in both languages, shows it as an email on a phone, and sends it to the seller alone. */
export function NewsletterComposer({ draft, onClose }: { draft: Newsletter | null; onClose: () => void }) {
  const t = useT()
  const lang = useLang()
  const [side, setSide] = useState<Lang>(lang)
  const [texts, setTexts] = useState<NewsletterTexts>(draft ?? EMPTY)
  const [id, setId] = useState(draft?._id)
  const [preview, setPreview] = useState<NewsletterPreview | null>(null)
  const onError = (error: unknown) => {
    handleSellerSessionEnded(error)
    return failure(serverText(error, PROBLEM))
  }
  const form = useForm({ onError })
  const [subjectField, bodyField] =
    side === 'ne' ? (['subjectNe', 'bodyNe'] as const) : (['subject', 'body'] as const)
  const change = (name: keyof NewsletterTexts, text: string) => {
    setPreview(null)
    form.setProblem(null)
    setTexts({ ...texts, [name]: text })
  }
  const choose = (next: Lang) => {
    setPreview(null)
    setSide(next)
  }
  const save = async () => {
    if (Object.values(textsOf(texts)).some((text) => text.trim() === '')) {
      form.setProblem('seller.newsletters.textMissing')
      return undefined
    }
    const saved = await newslettersApi.save(id, textsOf(texts))
    setId(saved)
    return saved
  }
  const showPreview = async () => {
    try {
      setPreview(await newslettersApi.preview(texts[subjectField], texts[bodyField], side))
    } catch (error) {
      handleSellerSessionEnded(error)
      toast.error(serverText(error, PREVIEW_PROBLEM))
    }
  }
  const sendTest = () =>
    form.send(async () => {
      const saved = await save()
      if (saved) toast.success((await newslettersApi.sendTest(saved, side)) as RawText)
    }, {})

  return (
    <Dialog id="newsletter" variant="form" title={t('seller.newsletters.newTitle')} onClose={onClose}>
      <form
        className="form newsletter-composer"
        {...form.bind(async () => {
          if (!(await save())) return
          toast.success('seller.newsletters.saved')
          onClose()
        })}
      >
        <fieldset className="segments">
          <legend className="sr-only">{t('seller.newsletters.language')}</legend>
          <button type="button" aria-pressed={side === 'en'} onClick={() => choose('en')}>
            {t('seller.newsletters.english')}
          </button>
          <button type="button" aria-pressed={side === 'ne'} onClick={() => choose('ne')}>
            {t('seller.newsletters.nepali')}
          </button>
        </fieldset>
        <TextField
          key={subjectField}
          label={t('seller.newsletters.subject')}
          name={subjectField}
          lang={side}
          maxLength={150}
          value={texts[subjectField]}
          onChange={({ target }) => change(subjectField, target.value)}
        />
        <LongField
          key={bodyField}
          label={t('seller.newsletters.body')}
          hint={t('seller.newsletters.hint')}
          name={bodyField}
          lang={side}
          rows={10}
          maxLength={9000}
          value={texts[bodyField]}
          onChange={({ target }) => change(bodyField, target.value)}
        />
        <button type="button" className="button button-outline" onClick={() => void showPreview()}>
          {t('seller.newsletters.preview')}
        </button>
        {preview ? <EmailPreview preview={preview} lang={side} /> : null}
        <FormProblem problem={form.problem} announced={false} />
        <div className="button-row">
          <button type="button" className="button button-outline" disabled={form.busy} onClick={sendTest}>
            {t('seller.newsletters.test')}
          </button>
          <SubmitButton busy={form.busy}>{t('seller.newsletters.save')}</SubmitButton>
        </div>
      </form>
    </Dialog>
  )
}

const textsOf = ({ subject, subjectNe, body, bodyNe }: NewsletterTexts): NewsletterTexts => ({
  subject,
  subjectNe,
  body,
  bodyNe,
})

/** The email as wide as on a phone. */
function EmailPreview({ preview, lang }: { preview: NewsletterPreview; lang: Lang }) {
  const t = useT()
  return (
    <section
      className="email-preview"
      aria-label={t('seller.newsletters.preview')}
      lang={lang}
      data-testid="email-preview"
      data-verbatim={preview.brand}
    >
      <p className="email-brand">{preview.brand}</p>
      <p className="email-subject">{preview.subject}</p>
      <p>{preview.greeting}</p>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the server has sanitised it (platform/markdown.rs) */}
      <div className="policy-text" dangerouslySetInnerHTML={{ __html: preview.html }} />
      <p>{preview.closing}</p>
      <p className="email-note">
        {preview.note} <span className="email-link">{preview.unsubscribe}</span>
      </p>
    </section>
  )
}
