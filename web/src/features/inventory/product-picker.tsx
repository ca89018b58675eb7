import { useInfiniteQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { catalogueQueries, type Product } from '@/features/catalogue/api'
import type { StockProduct } from '@/features/inventory/api'
import { ProductName } from '@/features/inventory/product-name'
import { useT } from '@/lib/i18n'
import { useDebounced } from '@/lib/use-debounced'
import { SearchField } from '@/ui/search-field'

const MAX_SHOWN = 6
const WAIT_MS = 200

/** What this page needs of a product. */
export const toStockProduct = (product: Product): StockProduct => ({
  _id: product.id,
  name: product.name,
  nameNe: product.nameNe ?? null,
  pack: product.unit?.label ?? null,
  packNe: product.unit?.labelNe ?? null,
})

/** Searches products as one types. Enter, which a barcode scanner sends, takes the first one. */
export function ProductPicker({ onPick }: { onPick: (product: StockProduct) => void }) {
  const t = useT()
  const [text, setText] = useState('')
  const search = useDebounced(text.trim(), WAIT_MS)
  const query = useInfiniteQuery({ ...catalogueQueries.products({ search }), enabled: search !== '' })
  const first = query.data?.pages[0]
  const found = search && first ? [...first.data, ...first.matches].slice(0, MAX_SHOWN) : []
  const isCurrent = search === text.trim()
  const pick = (product: Product) => {
    onPick(toStockProduct(product))
    setText('')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const [only] = found
    if (isCurrent && only) pick(only)
  }
  return (
    <form className="stock-picker" onSubmit={submit}>
      <SearchField
        label={t('seller.inventory.findProduct')}
        hint={t('seller.inventory.findProductHint')}
        text={text}
        onChange={setText}
      />
      <div role="status">
        {search && isCurrent && first && found.length === 0 ? (
          <p className="muted">{t('seller.inventory.noProduct')}</p>
        ) : null}
      </div>
      {found.length > 0 ? (
        <ul>
          {found.map((product) => (
            <li key={product.id}>
              <button type="button" className="button button-outline" onClick={() => pick(product)}>
                <ProductName product={toStockProduct(product)} />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </form>
  )
}
