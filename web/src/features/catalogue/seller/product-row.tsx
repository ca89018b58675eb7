import { ApiError } from '@/api/client'
import { subjectOf } from '@/features/catalogue/product-picture'
import { RowActions } from '@/features/catalogue/seller/catalogue-table'
import { errorText } from '@/features/catalogue/seller/error-text'
import { InlineEdit, type SaveProblem } from '@/features/catalogue/seller/inline-edit'
import { isPrice, isWholeNumber } from '@/features/catalogue/seller/number-format'
import {
  regularPrice,
  type SellerProduct,
  updateProductInLists,
} from '@/features/catalogue/seller/products-api'
import { StockBadge } from '@/features/catalogue/seller/stock-badge'
import { Picture } from '@/features/media/picture'
import { messageText, type RawText, useLang, useT } from '@/lib/i18n'
import { localText, scriptLang } from '@/lib/local-text'
import { formatMoney, formatNumber, toPaisa } from '@/lib/money'
import { toast } from '@/ui/toast'

type ProductRowProps = {
  product: SellerProduct
  /** Highlights the row, because it has just been changed. */
  flash: boolean
  onEdit: () => void
  onDelete: () => void
}

export function ProductRow({ product, flash, onEdit, onDelete }: ProductRowProps) {
  const lang = useLang()
  const name = localText(product, 'name', lang)
  const category = localText(product, 'category', lang)
  return (
    <tr data-testid="product-row" data-flash={flash || undefined}>
      <th scope="row">
        <span className="row-product">
          <Picture
            src={product.image}
            srcSet={product.imageSet}
            sizes="56px"
            alt=""
            seed={product.categorySlug}
            subject={subjectOf(product)}
          />
          <span className="row-name">
            <span lang={scriptLang(name, lang)}>{name}</span>
            <span className="row-category" lang={scriptLang(category, lang)}>
              {category}
            </span>
          </span>
        </span>
      </th>
      <td className="row-category" lang={scriptLang(category, lang)}>
        {category}
      </td>
      <td className="row-number">
        <PriceCell product={product} name={name} />
      </td>
      <td className="row-number">
        <StockCell product={product} name={name} />
      </td>
      <RowActions item={product} name={name} onEdit={onEdit} onDelete={onDelete} />
    </tr>
  )
}

/** The current product that came with a refusal, if any. */
function conflictingProduct(error: unknown, code: string): SellerProduct | undefined {
  if (!(error instanceof ApiError) || error.code !== code) return undefined
  const fresh = error.data as SellerProduct | undefined
  if (fresh) void updateProductInLists(fresh)
  return fresh
}

async function saveFields(slug: string, fields: Record<string, string>) {
  const { productsApi } = await import('@/features/catalogue/seller/product-mutations')
  return productsApi.update(slug, fields)
}

type CellProps = { product: SellerProduct; name: string }

function PriceCell({ product, name }: CellProps) {
  const t = useT()
  const lang = useLang()
  const money = (rupees: number) => formatMoney(toPaisa(rupees), lang, 'auto')
  const save = async (price: string, seen: SellerProduct): Promise<SaveProblem<SellerProduct> | null> => {
    // If the price has not changed since the field was opened, other changes are not a conflict.
    const { version } = regularPrice(product) === regularPrice(seen) ? product : seen
    try {
      await saveFields(seen.slug, { price, version })
    } catch (error) {
      const fresh = conflictingProduct(error, 'product_changed')
      const text = fresh
        ? t('seller.products.conflict.price', { price: money(regularPrice(fresh)) })
        : messageText(errorText(error))
      return { text, seen: fresh }
    }
    toast.success('seller.products.updated')
    return null
  }
  return (
    <span className="row-stock">
      <InlineEdit
        item={product}
        shown={money(regularPrice(product))}
        typed={String(regularPrice(product))}
        action={t('seller.products.changePrice', { name })}
        label={t('seller.products.newPrice', { name })}
        check={(text) => (isPrice(text) ? null : t('seller.products.err.priceFormat'))}
        save={save}
      />
      {product.wasPrice ? (
        <span className="badge badge-sale">{t('seller.sales.now', { price: money(product.price) })}</span>
      ) : null}
    </span>
  )
}

function StockCell({ product, name }: CellProps) {
  const t = useT()
  const lang = useLang()
  const save = async (stock: string, seen: SellerProduct): Promise<SaveProblem<SellerProduct> | null> => {
    try {
      const saved = await saveFields(seen.slug, { stock, stockWas: String(seen.stock) })
      const moved = saved.stock !== Number(stock)
      const text = t('seller.products.stockMoved', { n: formatNumber(saved.stock, lang) }) as RawText
      toast.success(moved ? text : 'seller.products.updated')
      return null
    } catch (error) {
      const fresh = conflictingProduct(error, 'stock_changed')
      const text = fresh
        ? t('seller.products.conflict.stock', { n: formatNumber(fresh.stock, lang) })
        : messageText(errorText(error))
      return { text, seen: fresh }
    }
  }
  return (
    <span className="row-stock">
      <InlineEdit
        item={product}
        shown={formatNumber(product.stock, lang)}
        typed={String(product.stock)}
        action={t('seller.products.changeStock', { name })}
        label={t('seller.products.newStock', { name })}
        check={(text) => (isWholeNumber(text) ? null : t('seller.products.err.wholeNumber'))}
        save={save}
      />
      <StockBadge stock={product.stock} />
    </span>
  )
}
