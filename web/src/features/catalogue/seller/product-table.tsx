import { CatalogueTable } from '@/features/catalogue/seller/catalogue-table'
import { type Direction, directionOf, nextSort } from '@/features/catalogue/seller/product-filter'
import { ProductRow } from '@/features/catalogue/seller/product-row'
import type {
  SellerProduct,
  SellerProductFilter,
  SellerProductSort,
} from '@/features/catalogue/seller/products-api'
import { type MessageId, useT } from '@/lib/i18n'
import { SortIcon } from '@/ui/icons-catalogue'

type ProductTableProps = {
  products: SellerProduct[]
  filter: SellerProductFilter
  flashing: string | null
  onSort: (sort: SellerProductSort) => void
  onEdit: (product: SellerProduct) => void
  onDelete: (product: SellerProduct) => void
}

/** The server sorts the table, because it knows all pages. */
export function ProductTable({ products, filter, flashing, onSort, onEdit, onDelete }: ProductTableProps) {
  const t = useT()
  const head = (column: 'name' | 'price' | 'stock', label: MessageId) => (
    <Head
      label={t(label)}
      direction={directionOf(column, filter.sort)}
      number={column !== 'name'}
      onPress={() => onSort(nextSort(column, filter))}
    />
  )
  return (
    <CatalogueTable
      className="product-table"
      caption={t('seller.products.caption')}
      heads={
        <>
          {head('name', 'seller.products.col.product')}
          <th scope="col">{t('seller.products.col.category')}</th>
          {head('price', 'seller.products.col.price')}
          {/* The server does not sort all products of the shop by stock. */}
          {filter.stock === 'all' ? (
            <th scope="col" className="row-number">
              {t('seller.products.col.stock')}
            </th>
          ) : (
            head('stock', 'seller.products.col.stock')
          )}
        </>
      }
    >
      {products.map((product) => (
        <ProductRow
          key={product._id}
          product={product}
          flash={flashing === product._id}
          onEdit={() => onEdit(product)}
          onDelete={() => onDelete(product)}
        />
      ))}
    </CatalogueTable>
  )
}

type HeadProps = { label: string; direction: Direction; number: boolean; onPress: () => void }

function Head({ label, direction, number, onPress }: HeadProps) {
  return (
    <th scope="col" aria-sort={direction} className={number ? 'row-number' : undefined}>
      <button type="button" className="sort-head" onClick={onPress}>
        {label}
        <SortIcon direction={direction} />
      </button>
    </th>
  )
}
