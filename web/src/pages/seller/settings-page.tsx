import '@/styles/seller-settings.css'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '@/api/client'
import { serverText } from '@/api/server-text'
import { saveSettings, shopSettings, type VersionedSettings } from '@/features/shop/seller/settings-api'
import {
  conflictingFields,
  type Draft,
  fromDraft,
  isEdited,
  isEqual,
  normalizeSettings,
  rebaseDraft,
  toDraft,
  validateSettings,
} from '@/features/shop/seller/settings-draft'
import { SETTINGS_FORM, SellerSettingsFields } from '@/features/shop/seller/settings-fields'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { useT } from '@/lib/i18n'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { ErrorSummary } from '@/ui/error-summary'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { type FormFailure, useForm } from '@/ui/use-form'
import { useUnsavedChangesPrompt } from '@/ui/use-unsaved-changes-prompt'

export function SellerSettingsPage() {
  const t = useT()
  usePageTitle(t('seller.nav.settings'))
  const query = useQuery(shopSettings)
  useEffect(() => void handleSellerSessionEnded(query.error), [query.error])
  return (
    <>
      <div className="seller-title">
        <h1>{t('seller.nav.settings')}</h1>
      </div>
      <LoadState query={query} problem="seller.settings.problem" skeleton={<SettingsSkeleton />}>
        {(stored) => <SettingsForm first={stored} />}
      </LoadState>
    </>
  )
}

const INVALID = { refused: 'seller.settings.err.invalid', broken: 'seller.settings.err.invalid' } as const

/** How often a save is repeated when another seller has changed other fields. */
const MAX_RETRIES = 3

function SettingsForm({ first }: { first: VersionedSettings }) {
  const t = useT()
  const form = useForm({
    id: SETTINGS_FORM,
    check: () => validateSettings(fromDraft(draft)),
    onError: failureOf,
  })
  /** The settings on the server, as far as they are known. */
  const [stored, setStored] = useState(first)
  const [draft, setDraft] = useState(() => toDraft(first))
  const [theirs, setTheirs] = useState<VersionedSettings | null>(null)
  const mine = fromDraft(draft)
  const { version: _, ...known } = stored
  const dirty = !isEqual(mine, normalizeSettings(known))
  const [leaving, decide] = useUnsavedChangesPrompt(() => dirty)

  /** Fills the form with the server's settings and applies the unsaved changes `open`. */
  const settle = (settings: VersionedSettings, open: Draft | ((now: Draft) => Draft)) => {
    setStored(settings)
    setDraft(open)
    setTheirs(null)
    form.reset()
  }

  const save = (over: VersionedSettings, typed: Draft) =>
    form.send(() => send(over, typed, MAX_RETRIES), validateSettings(fromDraft(typed)))

  const send = async (over: VersionedSettings, typed: Draft, again: number): Promise<void> => {
    const sent = fromDraft(typed)
    try {
      const answer = await saveSettings({ ...sent, version: over.version })
      // The fields can be edited while saving, so newer changes stay.
      settle(answer, (now) => rebaseDraft(now, sent, answer))
      toast.success('seller.settings.saved')
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'settings_changed') throw error
      const fresh = error.data as VersionedSettings
      if (conflictingFields(over, sent, fresh).length > 0) return setTheirs(fresh)
      settle(fresh, (now) => rebaseDraft(now, over, fresh))
      if (again > 0) return send(fresh, rebaseDraft(typed, over, fresh), again - 1)
      toast.error('seller.settings.saveFailed')
    }
  }

  const change = (changes: Partial<Draft>) => {
    const next = { ...draft, ...changes }
    setDraft((now) => ({ ...now, ...changes }))
    form.clearErrors(...Object.keys(form.errors).filter((name) => isEdited(name, draft, next)))
  }

  const choose = (whose: 'mine' | 'theirs', other: VersionedSettings) => {
    const merged = rebaseDraft(draft, stored, other, whose)
    settle(other, merged)
    if (whose === 'mine') save(other, merged)
    // The question disappears, so the focus moves to the button.
    else form.ref.current?.querySelector<HTMLElement>('[type="submit"]')?.focus()
  }
  const open = theirs ? conflictingFields(stored, mine, theirs) : []
  return (
    <>
      <form className="form settings" {...form.bind(() => send(stored, draft, MAX_RETRIES))}>
        <ErrorSummary problems={form.problems} />
        {theirs && open.length > 0 ? (
          <Conflict
            fields={open.map((id) => t(id))}
            busy={form.busy}
            onTheirs={() => choose('theirs', theirs)}
            onMine={() => choose('mine', theirs)}
          />
        ) : null}
        <SellerSettingsFields draft={draft} problem={form.error} onChange={change} />
        <div className="settings-bar">
          <p role="status">{dirty ? t('seller.settings.unsaved') : ''}</p>
          {dirty ? (
            <button
              type="button"
              className="button button-plain"
              disabled={form.busy}
              onClick={() => settle(stored, toDraft(stored))}
            >
              {t('seller.settings.discard')}
            </button>
          ) : null}
          <SubmitButton busy={form.busy}>{t('seller.settings.save')}</SubmitButton>
        </div>
      </form>
      {leaving ? (
        <ConfirmDialog
          id="leave-settings"
          title={t('seller.settings.leavePrompt.title')}
          text={t('seller.settings.leavePrompt.text')}
          confirm={t('seller.settings.leavePrompt.leave')}
          keep={t('seller.settings.leavePrompt.stay')}
          onConfirm={() => decide(true)}
          onCancel={() => decide(false)}
        />
      ) : null}
    </>
  )
}

function failureOf(error: unknown): FormFailure {
  if (!(error instanceof ApiError)) return { toast: 'seller.settings.saveError' }
  // Showing the login here would lose everything that was typed.
  if (error.status === 401) return { toast: 'seller.settings.signedOut' }
  const { field } = (error.data ?? {}) as { field?: string }
  const text = serverText(error, INVALID)
  const errors = error.code === 'field_invalid' && field ? { [field]: text } : {}
  return { toast: 'seller.settings.saveFailed', errors }
}

type ConflictProps = { fields: string[]; busy: boolean; onTheirs: () => void; onMine: () => void }

/** Another seller has saved first. Nothing is lost until the seller has chosen. */
function Conflict({ fields, busy, onTheirs, onMine }: ConflictProps) {
  const t = useT()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.focus()
    box.current?.scrollIntoView?.({ block: 'center' })
  }, [])
  return (
    <div ref={box} className="settings-conflict" role="alert" tabIndex={-1} data-testid="conflict">
      <h2>{t('seller.settings.conflict.title')}</h2>
      <p>{t('seller.settings.conflict.text', { fields: fields.join(', ') })}</p>
      <div className="button-row">
        <button type="button" className="button button-outline" disabled={busy} onClick={onTheirs}>
          {t('seller.settings.conflict.theirs')}
        </button>
        <button type="button" className="button button-primary" disabled={busy} onClick={onMine}>
          {t('seller.settings.conflict.mine')}
        </button>
      </div>
    </div>
  )
}

function SettingsSkeleton() {
  return (
    <div className="form skeleton-late" aria-hidden="true">
      {[1, 2, 3].map((group) => (
        <div key={group} className="settings-skeleton skeleton" />
      ))}
    </div>
  )
}
