import '@/styles/settings.css'
import { useQuery } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Refusal } from '@/api/client'
import { sellerEnded } from '@/features/orders/seller-ended'
import { type KeptSettings, saveSettings, shopSettings } from '@/features/shop/seller-settings-api'
import {
  differences,
  fromDraft,
  type Problems,
  problemsOf,
  same,
  toDraft,
} from '@/features/shop/seller-settings-draft'
import { fieldId, SellerSettingsFields } from '@/features/shop/seller-settings-fields'
import { useLang, useT } from '@/lib/i18n'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { ErrorSummary } from '@/ui/error-summary'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

export function SellerSettingsPage() {
  const t = useT()
  usePageTitle(t('seller.settings'))
  const query = useQuery(shopSettings)
  useEffect(() => sellerEnded(query.error), [query.error])
  return (
    <>
      <div className="seller-title">
        <h1>{t('seller.settings')}</h1>
      </div>
      <LoadState of={query} problem="sset.problem" skeleton={<SettingsSkeleton />}>
        {(kept) => <SettingsForm first={kept} />}
      </LoadState>
    </>
  )
}

/** A field that the server refuses, and its sentence. */
type Refused = { field: string; text: string }

function SettingsForm({ first }: { first: KeptSettings }) {
  const t = useT()
  const lang = useLang()
  const [busy, run] = useBusy()
  /** What the server keeps, as far as we know. */
  const [kept, setKept] = useState(first)
  const [draft, setDraft] = useState(() => toDraft(first))
  const [theirs, setTheirs] = useState<KeptSettings | null>(null)
  const [problems, setProblems] = useState<Problems>({})
  const [refused, setRefused] = useState<Refused | null>(null)
  const [attempt, setAttempt] = useState(0)
  const mine = fromDraft(draft)
  const { version, ...known } = kept
  const dirty = !same(mine, known)
  const leaving = useBlocker({
    shouldBlockFn: () => dirty,
    enableBeforeUnload: () => dirty,
    withResolver: true,
  })

  const start = (settings: KeptSettings) => {
    setKept(settings)
    setDraft(toDraft(settings))
    setTheirs(null)
    setProblems({})
    setRefused(null)
  }

  const save = (over: string) =>
    run(async () => {
      const wrong = problemsOf(mine)
      setProblems(wrong)
      setRefused(null)
      if (Object.keys(wrong).length > 0) {
        setAttempt((n) => n + 1)
        return
      }
      try {
        start(await saveSettings({ ...mine, version: over }))
        toast.success('sset.saved')
      } catch (error) {
        sellerEnded(error)
        if (!(error instanceof Refusal)) {
          toast.error('sset.saveError')
          return
        }
        const { field } = (error.data ?? {}) as { field?: string }
        if (error.code === 'settings_changed') {
          setTheirs(error.data as KeptSettings)
          return
        }
        toast.error('sset.saveFailed')
        if (error.code === 'field_invalid' && field) {
          setRefused({ field, text: lang === 'en' && error.message ? error.message : t('sset.err.invalid') })
          setAttempt((n) => n + 1)
        }
      }
    })

  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    void save(version)
  }
  const problem = (name: string) => {
    const text = problems[name]
    return text ? t(text) : refused?.field === name ? refused.text : undefined
  }
  const summary = [
    ...Object.entries(problems).map(([name, text]) => ({ id: fieldId(name), text: t(text) })),
    ...(refused ? [{ id: fieldId(refused.field), text: refused.text }] : []),
  ]
  return (
    <>
      <form className="form settings" noValidate onSubmit={onSubmit}>
        {summary.length > 0 ? <ErrorSummary problems={summary} attempt={attempt} /> : null}
        {theirs ? (
          <Conflict
            fields={differences(mine, theirs).map((id) => t(id))}
            busy={busy}
            onTheirs={() => start(theirs)}
            onMine={() => {
              setKept(theirs)
              setTheirs(null)
              void save(theirs.version)
            }}
          />
        ) : null}
        <SellerSettingsFields
          draft={draft}
          problem={problem}
          onChange={(changes) => setDraft((all) => ({ ...all, ...changes }))}
        />
        <div className="settings-bar">
          <p role="status">{dirty ? t('sset.unsaved') : ''}</p>
          {dirty ? (
            <button type="button" className="button button-plain" disabled={busy} onClick={() => start(kept)}>
              {t('sset.discard')}
            </button>
          ) : null}
          <SubmitButton busy={busy}>{t('sset.save')}</SubmitButton>
        </div>
      </form>
      {leaving.status === 'blocked' ? (
        <ConfirmDialog
          id="leave-settings"
          title={t('sset.leave.title')}
          text={t('sset.leave.text')}
          confirm={t('sset.leave.leave')}
          keep={t('sset.leave.stay')}
          onConfirm={() => leaving.proceed()}
          onCancel={() => leaving.reset()}
        />
      ) : null}
    </>
  )
}

type ConflictProps = { fields: string[]; busy: boolean; onTheirs: () => void; onMine: () => void }

/** Somebody else was quicker. Nothing is lost before one has chosen. */
function Conflict({ fields, busy, onTheirs, onMine }: ConflictProps) {
  const t = useT()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.focus()
    box.current?.scrollIntoView?.({ block: 'center' })
  }, [])
  return (
    <div ref={box} className="settings-conflict" role="alert" tabIndex={-1} data-testid="conflict">
      <h2>{t('sset.conflict.title')}</h2>
      <p>{t('sset.conflict.text', { fields: fields.join(', ') })}</p>
      <div className="button-row">
        <button type="button" className="button button-outline" disabled={busy} onClick={onTheirs}>
          {t('sset.conflict.theirs')}
        </button>
        <button type="button" className="button button-primary" disabled={busy} onClick={onMine}>
          {t('sset.conflict.mine')}
        </button>
      </div>
    </div>
  )
}

function SettingsSkeleton() {
  return (
    <div className="form skeleton-late" aria-hidden="true">
      {[1, 2, 3].map((group) => (
        <div key={group} className="settings-blank skeleton" />
      ))}
    </div>
  )
}
