import type { ReactNode } from 'react'
import { useMay } from '@/features/staff/permissions'
import { useT } from '@/lib/i18n'
import { useOnline } from '@/lib/use-online'
import { BinIcon } from '@/ui/icons'
import { PencilIcon } from '@/ui/icons-forms'

type CatalogueTableProps = { className: string; caption: string; heads: ReactNode; children: ReactNode }

/** A table of products or of categories; every row ends with `RowActions`. */
export function CatalogueTable({ className, caption, heads, children }: CatalogueTableProps) {
  const t = useT()
  return (
    <table className={`catalogue-table ${className}`}>
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          {heads}
          <th scope="col">
            <span className="sr-only">{t('seller.products.col.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

export const editButtonId = ({ _id }: { _id: string }) => `edit-${_id}`

type RowActionsProps = { item: { _id: string }; name: string; onEdit: () => void; onDelete: () => void }

export function RowActions({ item: thing, name, onEdit, onDelete }: RowActionsProps) {
  const t = useT()
  const online = useOnline()
  const offline = online ? undefined : t('form.offline')
  const mayEdit = useMay()('products.edit')
  if (!mayEdit) return <td className="row-actions" />
  return (
    <td className="row-actions">
      <button
        type="button"
        id={editButtonId(thing)}
        className="button button-outline"
        aria-label={t('seller.products.editOne', { name })}
        disabled={!online}
        title={offline}
        onClick={onEdit}
      >
        <PencilIcon />
        {t('seller.products.edit')}
      </button>
      <button
        type="button"
        className="button button-outline button-quiet-danger"
        aria-label={t('seller.products.deleteOne', { name })}
        disabled={!online}
        title={offline}
        onClick={onDelete}
      >
        <BinIcon />
        {t('seller.products.delete')}
      </button>
    </td>
  )
}

export function CatalogueTableSkeleton() {
  return (
    <div className="catalogue-table-skeleton skeleton-late" aria-hidden="true">
      {[1, 2, 3, 4, 5, 6, 7, 8].map((row) => (
        <div key={row} className="skeleton" data-testid="row-skeleton" />
      ))}
    </div>
  )
}
