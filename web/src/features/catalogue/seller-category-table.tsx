import { CategoryIcon, CategoryPicture } from '@/features/catalogue/category-picture'
import type { SellerCategory } from '@/features/catalogue/seller-categories-api'
import { useLang, useT } from '@/lib/i18n'
import { localText, scriptLang } from '@/lib/local-text'
import { formatNumber } from '@/lib/money'
import { useOnline } from '@/lib/use-online'
import { BinIcon } from '@/ui/icons'
import { PencilIcon } from '@/ui/icons-forms'

type CategoryTableProps = {
  categories: SellerCategory[]
  flashing: string | null
  onEdit: (category: SellerCategory) => void
  onDelete: (category: SellerCategory) => void
}

export const editCategoryId = (category: SellerCategory) => `edit-${category._id}`

export function CategoryTable({ categories, flashing, onEdit, onDelete }: CategoryTableProps) {
  const t = useT()
  return (
    <table className="shelf-table category-table">
      <caption className="sr-only">{t('scat.caption')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('scat.col.image')}</th>
          <th scope="col">{t('scat.col.icon')}</th>
          <th scope="col">{t('scat.col.name')}</th>
          <th scope="col">{t('scat.col.description')}</th>
          <th scope="col" className="row-number">
            {t('scat.col.products')}
          </th>
          <th scope="col">
            <span className="sr-only">{t('sprod.col.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {categories.map((category) => (
          <CategoryRow
            key={category._id}
            category={category}
            flash={flashing === category._id}
            onEdit={() => onEdit(category)}
            onDelete={() => onDelete(category)}
          />
        ))}
      </tbody>
    </table>
  )
}

type RowProps = { category: SellerCategory; flash: boolean; onEdit: () => void; onDelete: () => void }

function CategoryRow({ category, flash, onEdit, onDelete }: RowProps) {
  const t = useT()
  const lang = useLang()
  const online = useOnline()
  const offline = online ? undefined : t('form.offline')
  const name = localText(category, 'name', lang)
  const description = localText(category, 'description', lang)
  return (
    <tr data-testid="category-row" data-flash={flash || undefined}>
      <td className="row-picture">
        <CategoryPicture category={category} sizes="56px" alt="" />
      </td>
      <td className="row-icon">
        <CategoryIcon icon={category.icon} />
      </td>
      <th scope="row" lang={scriptLang(name, lang)}>
        {name}
      </th>
      <td className="row-description" lang={scriptLang(description, lang)}>
        {description}
      </td>
      <td className="row-number">
        <span className="only-wide">{formatNumber(category.totalproducts, lang)}</span>
        <span className="only-narrow">{t('scat.products', { n: category.totalproducts })}</span>
      </td>
      <td className="row-actions">
        <button
          type="button"
          id={editCategoryId(category)}
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
    </tr>
  )
}
