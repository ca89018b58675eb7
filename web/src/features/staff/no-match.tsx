import { useT } from '@/lib/i18n'
import { SearchIcon } from '@/ui/icons'
import { StatePanel } from '@/ui/state-panel'

/** Shown when no entry of the list matches the search. */
export function NoMatch({ title, onClear }: { title: string; onClear: () => void }) {
  const t = useT()
  const clear = () => {
    onClear()
    // The button disappears with the search text, so the focus moves to the search field.
    document.querySelector<HTMLElement>('.search-field input')?.focus()
  }
  return (
    <StatePanel
      icon={<SearchIcon size={36} />}
      title={title}
      action={
        <button type="button" className="button button-outline" onClick={clear}>
          {t('seller.clearSearch')}
        </button>
      }
    />
  )
}
