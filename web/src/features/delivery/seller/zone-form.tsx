import '@/styles/seller-settings.css'
import { useState } from 'react'
import { ApiError } from '@/api/client'
import { serverText } from '@/api/server-text'
import { AreaPicker } from '@/features/delivery/seller/area-picker'
import { rulesApi, type Zone } from '@/features/delivery/seller/rules-api'
import { WindowFields } from '@/features/delivery/seller/window-fields'
import {
  checkZone,
  fromDraft,
  newWindow,
  toDraft,
  type WindowDraft,
  type ZoneDraft,
} from '@/features/delivery/seller/zone-draft'
import { messageText, useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { Dialog } from '@/ui/dialog'
import { ErrorSummary } from '@/ui/error-summary'
import { TextField } from '@/ui/field'
import { FormProblem } from '@/ui/form-problem'
import { PlusIcon } from '@/ui/icons'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { type FormFailure, fieldId, useForm } from '@/ui/use-form'

const ID = 'zone'

/** `zone` is null for a new one. */
export function ZoneForm({ zone, onClose }: { zone: Zone | null; onClose: () => void }) {
  const t = useT()
  const lang = useLang()
  const [draft, setDraft] = useState(() => toDraft(zone))
  const form = useForm({ id: ID, check: () => checkZone(draft), onError: failureOf })
  const change = (changes: Partial<ZoneDraft>) => setDraft((now) => ({ ...now, ...changes }))
  const changeWindow = (key: string, changes: Partial<WindowDraft>) =>
    change({ windows: draft.windows.map((each) => (each.key === key ? { ...each, ...changes } : each)) })
  const save = async () => {
    const body = fromDraft(draft, zone?.version ?? '')
    await (zone ? rulesApi.updateZone(zone._id, body) : rulesApi.addZone(body))
    toast.success('seller.zones.saved')
    onClose()
  }
  const error = (name: string) => {
    const found = form.errors[name]
    return found && messageText(found)
  }
  const text = (name: 'name' | 'nameNe' | 'fee' | 'freeAbove' | 'minimum') => ({
    ...form.field(name),
    value: draft[name],
    onChange: (event: { target: { value: string } }) => {
      change({ [name]: event.target.value })
      form.clearErrors(name)
    },
  })
  return (
    <Dialog
      id="zone-dialog"
      variant="form"
      title={zone ? t('seller.zones.edit', { name: localText(zone, 'name', lang) }) : t('seller.zones.new')}
      onClose={onClose}
    >
      <form className="form zone-form" {...form.bind(save)}>
        <ErrorSummary problems={form.problems} />
        <TextField
          {...text('name')}
          label={t('seller.zones.name')}
          hint={t('seller.zones.nameHint')}
          mark="required"
          maxLength={60}
        />
        <TextField {...text('nameNe')} label={t('seller.zones.nameNe')} mark="optional" maxLength={60} />
        <div className="field-row zone-pair">
          <TextField {...text('fee')} label={t('seller.zones.fee')} mark="required" inputMode="decimal" />
          <TextField {...text('minimum')} label={t('seller.zones.minimum')} inputMode="decimal" />
        </div>
        <TextField
          {...text('freeAbove')}
          label={t('seller.zones.freeAbove')}
          hint={t('seller.zones.freeAboveHint')}
          mark="optional"
          inputMode="decimal"
        />
        <AreaPicker
          id={fieldId(ID, 'areas')}
          areas={draft.areas}
          error={error('areas')}
          onChange={(areas) => {
            change({ areas })
            form.clearErrors('areas')
          }}
        />
        <fieldset className="zone-windows">
          <legend>{t('seller.zones.windows')}</legend>
          <p className="field-hint">{t('seller.zones.windowsHint')}</p>
          {draft.windows.map((window, index) => (
            <WindowFields
              key={window.key}
              id={fieldId(ID, `windows.${index}`)}
              index={index}
              window={window}
              error={(field) => error(`windows.${index}.${field}`)}
              onChange={(changes) => changeWindow(window.key, changes)}
              onRemove={() => change({ windows: draft.windows.filter(({ key }) => key !== window.key) })}
            />
          ))}
          <button
            type="button"
            className="button button-outline"
            onClick={() => change({ windows: [...draft.windows, newWindow()] })}
          >
            <PlusIcon />
            {t('seller.zones.addWindow')}
          </button>
        </fieldset>
        <label className="settings-check">
          <input
            type="checkbox"
            checked={draft.isActive}
            onChange={(event) => change({ isActive: event.target.checked })}
          />
          {t('seller.zones.active')}
        </label>
        <FormProblem problem={form.problem} />
        <SubmitButton busy={form.busy} wide>
          {t(form.busy ? 'seller.zones.saving' : 'seller.zones.save')}
        </SubmitButton>
      </form>
    </Dialog>
  )
}

const TEXTS = { refused: 'seller.zones.saveFailed', broken: 'seller.zones.saveError' } as const

function failureOf(error: unknown): FormFailure {
  const text = serverText(error, TEXTS)
  const { field } = ((error instanceof ApiError && error.data) || {}) as { field?: string }
  return field ? { toast: text, errors: { [field]: text } } : { toast: text, problem: text }
}
