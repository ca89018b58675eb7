import '@/styles/seller-views.css'
import { type FormEvent, useId, useRef, useState } from 'react'
import {
  isSameFilter,
  type ListFilter,
  type ListSettingsStore,
  MAX_NAME,
  type SavedView,
} from '@/features/staff/list-settings'
import { useLang, useT } from '@/lib/i18n'
import { formatNumber } from '@/lib/money'
import { announce } from '@/ui/announcer'
import { Dialog } from '@/ui/dialog'
import { TextField } from '@/ui/field'
import { PlusIcon } from '@/ui/icons'
import { PencilIcon } from '@/ui/icons-forms'
import { toast } from '@/ui/toast'
import { useDismiss } from '@/ui/use-dismiss'

type BuiltInView = { key: string; label: string; filter: ListFilter; count?: number | undefined }
type Column = { key: string; label: string }

type ViewTabsProps = {
  settings: ListSettingsStore
  builtIn: BuiltInView[]
  filter: ListFilter
  onPick: (filter: ListFilter) => void
  /** The columns that can be shown or hidden on wide screens. */
  columns: Column[]
  shownColumns: string[]
}

/** The views of a list: its own and the saved ones. A view is a set of filters with a name. */
export function ViewTabs({ settings, builtIn, filter, onPick, columns, shownColumns }: ViewTabsProps) {
  const t = useT()
  const lang = useLang()
  const [editing, setEditing] = useState<SavedView | 'new' | null>(null)
  const saved = settings.views.find((view) => isSameFilter(view.filter, filter))
  const isKnown = saved || builtIn.some((view) => isSameFilter(view.filter, filter))

  const save = (name: string) => {
    const before = editing === 'new' ? null : editing
    const view = { name, filter: before?.filter ?? filter }
    // A view with the same name is replaced, and a renamed one stays where it is.
    const others = settings.views.filter((each) => each === before || each.name !== name)
    settings.setViews(before ? others.map((each) => (each === before ? view : each)) : [...others, view])
    setEditing(null)
    announce(t('seller.views.saved', { name }))
  }
  const remove = (view: SavedView) => {
    const before = settings.views
    settings.setViews(before.filter((each) => each !== view))
    setEditing(null)
    toast.success('seller.views.deleted', {
      label: 'seller.views.undo',
      run: () => settings.setViews(before),
    })
  }

  return (
    <div className="views">
      <nav className="views-tabs" aria-label={t('seller.views.title')}>
        <ul>
          {builtIn.map((view) => (
            <li key={view.key}>
              <Tab isCurrent={isSameFilter(view.filter, filter)} onPick={() => onPick(view.filter)}>
                {view.label}
                {view.count === undefined ? null : (
                  <span className="chip-count">{formatNumber(view.count, lang)}</span>
                )}
              </Tab>
            </li>
          ))}
          {settings.views.map((view) => (
            <li key={view.name}>
              <Tab isCurrent={view === saved} onPick={() => onPick(view.filter)}>
                <span translate="no">{view.name}</span>
              </Tab>
              {view === saved ? (
                <button
                  type="button"
                  className="icon-button"
                  aria-label={t('seller.views.edit', { name: view.name })}
                  onClick={() => setEditing(view)}
                >
                  <PencilIcon size={16} />
                </button>
              ) : null}
            </li>
          ))}
        </ul>
      </nav>
      {isKnown || settings.isFull ? null : (
        <button type="button" className="button button-plain views-save" onClick={() => setEditing('new')}>
          <PlusIcon size={16} />
          {t('seller.views.save')}
        </button>
      )}
      {columns.length > 0 ? (
        <ColumnChoice columns={columns} shown={shownColumns} onChange={settings.setColumns} />
      ) : null}
      {editing ? (
        <ViewDialog
          view={editing === 'new' ? null : editing}
          onSave={save}
          onDelete={remove}
          onClose={() => setEditing(null)}
        />
      ) : null}
    </div>
  )
}

type TabProps = { isCurrent: boolean; onPick: () => void; children: React.ReactNode }

function Tab({ isCurrent, onPick, children }: TabProps) {
  return (
    <button type="button" className="view-tab" aria-current={isCurrent ? 'true' : undefined} onClick={onPick}>
      {children}
    </button>
  )
}

type ViewDialogProps = {
  view: SavedView | null
  onSave: (name: string) => void
  onDelete: (view: SavedView) => void
  onClose: () => void
}

function ViewDialog({ view, onSave, onDelete, onClose }: ViewDialogProps) {
  const t = useT()
  const [name, setName] = useState(view?.name ?? '')
  const [isMissing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const given = name.trim()
    setMissing(given === '')
    if (given) onSave(given)
    else field.current?.focus()
  }
  return (
    <Dialog
      id="view"
      variant="card"
      title={t(view ? 'seller.views.editTitle' : 'seller.views.saveTitle')}
      onClose={onClose}
    >
      <form className="form" noValidate onSubmit={submit}>
        <TextField
          ref={field}
          label={t('seller.views.name')}
          hint={t('seller.views.nameHint')}
          error={isMissing && name.trim() === '' ? t('seller.views.nameNeeded') : undefined}
          maxLength={MAX_NAME}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <div className="views-actions">
          <button type="submit" className="button button-primary">
            {t('seller.views.save')}
          </button>
          {view ? (
            <button
              type="button"
              className="button button-plain button-plain-danger"
              onClick={() => onDelete(view)}
            >
              {t('seller.views.delete')}
            </button>
          ) : null}
        </div>
      </form>
    </Dialog>
  )
}

type ColumnChoiceProps = { columns: Column[]; shown: string[]; onChange: (columns: string[]) => void }

function ColumnChoice({ columns, shown, onChange }: ColumnChoiceProps) {
  const t = useT()
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  useDismiss(open, box, () => setOpen(false))
  return (
    <div ref={box} className="columns-choice">
      <button
        type="button"
        className="button button-plain"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {t('seller.views.columns')}
      </button>
      <fieldset id={id} className="columns-list" hidden={!open}>
        <legend className="sr-only">{t('seller.views.columns')}</legend>
        {columns.map(({ key, label }) => (
          <label key={key} className="checkbox-label">
            <input
              type="checkbox"
              checked={shown.includes(key)}
              onChange={({ target }) =>
                onChange(
                  columns
                    .map((column) => column.key)
                    .filter((each) => (each === key ? target.checked : shown.includes(each))),
                )
              }
            />
            {label}
          </label>
        ))}
      </fieldset>
    </div>
  )
}
