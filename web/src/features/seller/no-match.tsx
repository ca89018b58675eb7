import { useT } from '@/lib/i18n'
import { StatePanel } from '@/ui/state-panel'

/** Nothing in the list has the text that was searched for. */
export function NoMatch({ title, onClear }: { title: string; onClear: () => void }) {
  const t = useT()
  const clear = () => {
    onClear()
    // The button goes with the text that nothing matched, and must not take the keyboard along.
    document.querySelector<HTMLElement>('.search-field input')?.focus()
  }
  return (
    <StatePanel
      title={title}
      action={
        <button type="button" className="button button-outline" onClick={clear}>
          {t('seller.clearSearch')}
        </button>
      }
    />
  )
}
