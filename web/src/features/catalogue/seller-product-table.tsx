import { type Direction, directionOf, nextSort } from '@/features/catalogue/seller-filter'
import { ProductRow } from '@/features/catalogue/seller-product-row'
import type { SellerFilter, SellerProduct, SellerSort } from '@/features/catalogue/seller-products-api'
import { ShelfTable } from '@/features/catalogue/seller-shelf-table'
import { type MessageId, useT } from '@/lib/i18n'
import { SortIcon } from '@/ui/icons-shelves'

type ProductTableProps = {
  products: SellerProduct[]
  filter: SellerFilter
  flashing: string | null
  onSort: (sort: SellerSort) => void
  onEdit: (product: SellerProduct) => void
  onDelete: (product: SellerProduct) => void
}

/** Sorted by the server, because it knows all the pages. */
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
    <ShelfTable
      look="product-table"
      caption={t('sprod.caption')}
      heads={
        <>
          {head('name', 'sprod.col.product')}
          <th scope="col">{t('sprod.col.category')}</th>
          {head('price', 'sprod.col.price')}
          {/* The whole shop by stock is more than the server will sort. */}
          {filter.stock === 'all' ? (
            <th scope="col" className="row-number">
              {t('sprod.col.stock')}
            </th>
          ) : (
            head('stock', 'sprod.col.stock')
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
    </ShelfTable>
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
