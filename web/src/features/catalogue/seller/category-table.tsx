import { CategoryIcon, CategoryPicture } from '@/features/catalogue/category-picture'
import { CatalogueTable, RowActions } from '@/features/catalogue/seller/catalogue-table'
import type { SellerCategory } from '@/features/catalogue/seller/categories-api'
import { useLang, useT } from '@/lib/i18n'
import { localText, scriptLang } from '@/lib/local-text'
import { formatNumber } from '@/lib/money'

type CategoryTableProps = {
  categories: SellerCategory[]
  flashing: string | null
  onEdit: (category: SellerCategory) => void
  onDelete: (category: SellerCategory) => void
}

export function CategoryTable({ categories, flashing, onEdit, onDelete }: CategoryTableProps) {
  const t = useT()
  return (
    <CatalogueTable
      className="category-table"
      caption={t('seller.categories.caption')}
      heads={
        <>
          <th scope="col">{t('seller.categories.col.image')}</th>
          <th scope="col">{t('seller.categories.col.icon')}</th>
          <th scope="col">{t('seller.categories.col.name')}</th>
          <th scope="col">{t('seller.categories.col.description')}</th>
          <th scope="col" className="row-number">
            {t('seller.categories.col.products')}
          </th>
        </>
      }
    >
      {categories.map((category) => (
        <CategoryRow
          key={category._id}
          category={category}
          flash={flashing === category._id}
          onEdit={() => onEdit(category)}
          onDelete={() => onDelete(category)}
        />
      ))}
    </CatalogueTable>
  )
}

type RowProps = { category: SellerCategory; flash: boolean; onEdit: () => void; onDelete: () => void }

function CategoryRow({ category, flash, onEdit, onDelete }: RowProps) {
  const t = useT()
  const lang = useLang()
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
        <span className="only-narrow">{t('seller.categories.products', { n: category.totalproducts })}</span>
      </td>
      <RowActions item={category} name={name} onEdit={onEdit} onDelete={onDelete} />
    </tr>
  )
}
