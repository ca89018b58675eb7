import type { ReactNode } from 'react'
import { useT } from '@/lib/i18n'
import { useOnline } from '@/lib/use-online'
import { BinIcon } from '@/ui/icons'
import { PencilIcon } from '@/ui/icons-forms'

type ShelfTableProps = { look: string; caption: string; heads: ReactNode; children: ReactNode }

/** What the seller keeps on the shelves; every row ends with `RowActions`. */
export function ShelfTable({ look, caption, heads, children }: ShelfTableProps) {
  const t = useT()
  return (
    <table className={`shelf-table ${look}`}>
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          {heads}
          <th scope="col">
            <span className="sr-only">{t('sprod.col.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

export const editButtonId = ({ _id }: { _id: string }) => `edit-${_id}`

type RowActionsProps = { of: { _id: string }; name: string; onEdit: () => void; onDelete: () => void }

export function RowActions({ of: thing, name, onEdit, onDelete }: RowActionsProps) {
  const t = useT()
  const online = useOnline()
  const offline = online ? undefined : t('form.offline')
  return (
    <td className="row-actions">
      <button
        type="button"
        id={editButtonId(thing)}
        className="button button-outline"
        aria-label={t('sprod.editOne', { name })}
        disabled={!online}
        title={offline}
        onClick={onEdit}
      >
        <PencilIcon />
        {t('sprod.edit')}
      </button>
      <button
        type="button"
        className="button button-outline button-quiet-danger"
        aria-label={t('sprod.deleteOne', { name })}
        disabled={!online}
        title={offline}
        onClick={onDelete}
      >
        <BinIcon />
        {t('sprod.delete')}
      </button>
    </td>
  )
}

export function ShelfSkeleton() {
  return (
    <div className="shelf-blank skeleton-late" aria-hidden="true">
      {[1, 2, 3, 4, 5, 6, 7, 8].map((row) => (
        <div key={row} className="skeleton" data-testid="row-skeleton" />
      ))}
    </div>
  )
}
