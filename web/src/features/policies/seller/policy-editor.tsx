import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient } from '@/api/query-client'
import { serverText } from '@/api/server-text'
import { PolicyText } from '@/features/policies/policy-text'
import {
  type EditablePolicy,
  POLICIES_KEY,
  type PolicyVersion,
  policiesApi,
  policyVersions,
} from '@/features/policies/seller/api'
import { useMay } from '@/features/staff/permissions'
import { handleSellerSessionEnded } from '@/features/staff/session-ended'
import { formatDateTime } from '@/lib/dates-time'
import { useLang, useT } from '@/lib/i18n'
import { formatNumber } from '@/lib/money'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { LongField } from '@/ui/field'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { failure, useForm } from '@/ui/use-form'
import { useUnsavedChangesPrompt } from '@/ui/use-unsaved-changes-prompt'

const PROBLEM = { refused: 'seller.policies.saveFailed', broken: 'seller.policies.saveFailed' } as const
const PREVIEW_PROBLEM = {
  refused: 'seller.policies.previewFailed',
  broken: 'seller.policies.previewFailed',
} as const
const MAX_LENGTH = 10_000

/** Both languages of a page, as it is being edited. */
type Draft = { en: string; ne: string }

/** Edits one page in both languages, with a preview, its earlier versions and the way back to the template. */
export function PolicyEditor({ page }: { page: EditablePolicy }) {
  const t = useT()
  const lang = useLang()
  const mayEdit = useMay()('settings.edit')
  const [draft, setDraft] = useState<Draft>({ en: page.text, ne: page.textNe })
  const [side, setSide] = useState<keyof Draft>(lang)
  const [preview, setPreview] = useState<string | null>(null)
  const [resetting, setResetting] = useState(false)
  const dirty = draft.en !== page.text || draft.ne !== page.textNe
  const [leaving, decide] = useUnsavedChangesPrompt(() => dirty)
  const onError = (error: unknown) => {
    handleSellerSessionEnded(error)
    return failure(serverText(error, PROBLEM))
  }
  const form = useForm({ onError })
  const refresh = () => queryClient.invalidateQueries({ queryKey: POLICIES_KEY })

  const showPreview = async () => {
    try {
      setPreview(await policiesApi.preview(draft[side]))
    } catch (error) {
      handleSellerSessionEnded(error)
      toast.error(serverText(error, PREVIEW_PROBLEM))
    }
  }
  const choose = (next: keyof Draft) => {
    setPreview(null)
    setSide(next)
  }
  const reset = () =>
    form.send(async () => {
      setResetting(false)
      await policiesApi.reset(page.page, page.version)
      await refresh()
      toast.success('seller.policies.saved')
    }, {})

  return (
    <>
      <form
        className="form policy-editor"
        {...form.bind(async () => {
          await policiesApi.save(page.page, page.version, draft.en, draft.ne)
          await refresh()
          toast.success('seller.policies.saved')
        })}
      >
        <div className="policy-tools">
          <fieldset className="segments">
            <legend className="sr-only">{t('seller.policies.textLanguage')}</legend>
            <button type="button" aria-pressed={side === 'en'} onClick={() => choose('en')}>
              {t('seller.policies.english')}
            </button>
            <button type="button" aria-pressed={side === 'ne'} onClick={() => choose('ne')}>
              {t('seller.policies.nepali')}
            </button>
          </fieldset>
          <button
            type="button"
            className="button button-outline"
            aria-pressed={preview !== null}
            onClick={() => (preview === null ? void showPreview() : setPreview(null))}
          >
            {t(preview === null ? 'seller.policies.preview' : 'seller.policies.write')}
          </button>
        </div>
        {preview === null ? (
          <LongField
            label={t('seller.policies.text')}
            hint={t('seller.policies.hint')}
            name="text"
            lang={side}
            rows={18}
            readOnly={!mayEdit}
            maxLength={MAX_LENGTH}
            value={draft[side]}
            onChange={({ target }) => setDraft({ ...draft, [side]: target.value })}
          />
        ) : (
          <section className="policy-preview" aria-label={t('seller.policies.preview')} lang={side}>
            <PolicyText html={preview} />
          </section>
        )}
        {mayEdit ? (
          <div className="settings-bar">
            <p role="status">{dirty ? t('seller.policies.unsaved') : ''}</p>
            {dirty ? (
              <button
                type="button"
                className="button button-plain"
                disabled={form.busy}
                onClick={() => {
                  setPreview(null)
                  setDraft({ en: page.text, ne: page.textNe })
                }}
              >
                {t('seller.policies.discard')}
              </button>
            ) : page.isTemplate ? null : (
              <button
                type="button"
                className="button button-plain"
                disabled={form.busy}
                onClick={() => setResetting(true)}
              >
                {t('seller.policies.reset')}
              </button>
            )}
            <SubmitButton busy={form.busy}>{t('seller.policies.save')}</SubmitButton>
          </div>
        ) : null}
        <Versions
          page={page.page}
          onUse={
            mayEdit
              ? (version) => {
                  setPreview(null)
                  setDraft({ en: version.text ?? page.template, ne: version.textNe ?? page.templateNe })
                }
              : null
          }
        />
      </form>
      {resetting ? (
        <ConfirmDialog
          id="reset-policy"
          title={t('seller.policies.resetTitle')}
          text={t('seller.policies.resetText')}
          confirm={t('seller.policies.reset')}
          busy={form.busy}
          onConfirm={reset}
          onCancel={() => setResetting(false)}
        />
      ) : null}
      {leaving ? (
        <ConfirmDialog
          id="leave-policy"
          title={t('seller.policies.leaveTitle')}
          text={t('seller.policies.leave')}
          confirm={t('seller.policies.leaveAction')}
          keep={t('seller.policies.leaveStay')}
          onConfirm={() => decide(true)}
          onCancel={() => decide(false)}
        />
      ) : null}
    </>
  )
}

/** Every saved version with its author and time; without `onUse` they can only be read. */
function Versions({ page, onUse }: { page: string; onUse: ((version: PolicyVersion) => void) | null }) {
  const t = useT()
  const lang = useLang()
  const { data } = useQuery(policyVersions(page))
  if (!data) return null
  return (
    <section className="policy-versions" aria-labelledby="policy-versions">
      <h3 id="policy-versions">{t('seller.policies.history')}</h3>
      {data.length === 0 ? (
        <p className="muted">{t('seller.policies.historyEmpty')}</p>
      ) : (
        <ul>
          {data.map((version) => (
            <li key={version.version} data-testid="policy-version">
              <p>
                <strong>{t('seller.policies.version', { n: formatNumber(version.version, lang) })}</strong>
                {version.text === null ? <span>{t('seller.policies.versionReset')}</span> : null}
                <span className="muted">
                  {t('seller.policies.versionBy', {
                    name: version.author,
                    when: formatDateTime(version.createdAt, lang),
                  })}
                </span>
              </p>
              {onUse ? (
                <button type="button" className="button button-plain" onClick={() => onUse(version)}>
                  {t('seller.policies.load')}
                </button>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
