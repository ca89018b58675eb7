import { Refusal } from '@/api/client'
import { failureText } from '@/features/catalogue/seller-failure'
import { InlineValue, type InTheWay } from '@/features/catalogue/seller-inline-value'
import { isPrice, isWhole } from '@/features/catalogue/seller-numbers'
import { putProduct, type SellerProduct } from '@/features/catalogue/seller-products-api'
import { RowActions } from '@/features/catalogue/seller-shelf-table'
import { StockBadge } from '@/features/catalogue/seller-stock-badge'
import { Picture } from '@/features/media/picture'
import { glyphOf } from '@/features/media/plate'
import { type RawText, say, useLang, useT } from '@/lib/i18n'
import { localText, scriptLang } from '@/lib/local-text'
import { formatMoney, formatNumber, toPaisa } from '@/lib/money'
import { toast } from '@/ui/toast'

type ProductRowProps = {
  product: SellerProduct
  /** It has just been changed: the eye should find it. */
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
            glyph={glyphOf(product)}
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
      <RowActions of={product} name={name} onEdit={onEdit} onDelete={onDelete} />
    </tr>
  )
}

/** The fresh product that came with a no, if one did. */
function freshIn(error: unknown, code: string): SellerProduct | undefined {
  if (!(error instanceof Refusal) || error.code !== code) return undefined
  const fresh = error.data as SellerProduct | undefined
  if (fresh) void putProduct(fresh)
  return fresh
}

async function change(slug: string, fields: Record<string, string>) {
  const { productsApi } = await import('@/features/catalogue/seller-products-write')
  return productsApi.update(slug, fields)
}

type CellProps = { product: SellerProduct; name: string }

function PriceCell({ product, name }: CellProps) {
  const t = useT()
  const lang = useLang()
  const money = (rupees: number) => formatMoney(toPaisa(rupees), lang, 'auto')
  const save = async (price: string, seen: SellerProduct): Promise<InTheWay<SellerProduct> | null> => {
    // As long as the price is the one that was seen, whatever else became new is no conflict with this.
    const { version } = product.price === seen.price ? product : seen
    try {
      await change(seen.slug, { price, version })
    } catch (error) {
      const fresh = freshIn(error, 'product_changed')
      const text = fresh ? t('sprod.now.price', { price: money(fresh.price) }) : say(failureText(error))
      return { text, seen: fresh }
    }
    toast.success('sprod.updated')
    return null
  }
  return (
    <InlineValue
      of={product}
      shown={money(product.price)}
      typed={String(product.price)}
      action={t('sprod.changePrice', { name })}
      label={t('sprod.newPrice', { name })}
      check={(text) => (isPrice(text) ? null : t('sprod.err.priceShape'))}
      save={save}
    />
  )
}

function StockCell({ product, name }: CellProps) {
  const t = useT()
  const lang = useLang()
  const save = async (stock: string, seen: SellerProduct): Promise<InTheWay<SellerProduct> | null> => {
    try {
      const saved = await change(seen.slug, { stock, stockWas: String(seen.stock) })
      const moved = saved.stock !== Number(stock)
      const text = t('sprod.stockMoved', { n: formatNumber(saved.stock, lang) }) as RawText
      toast.success(moved ? text : 'sprod.updated')
      return null
    } catch (error) {
      const fresh = freshIn(error, 'stock_changed')
      const text = fresh
        ? t('sprod.now.stock', { n: formatNumber(fresh.stock, lang) })
        : say(failureText(error))
      return { text, seen: fresh }
    }
  }
  return (
    <span className="row-stock">
      <InlineValue
        of={product}
        shown={formatNumber(product.stock, lang)}
        typed={String(product.stock)}
        action={t('sprod.changeStock', { name })}
        label={t('sprod.newStock', { name })}
        check={(text) => (isWhole(text) ? null : t('sprod.err.whole'))}
        save={save}
      />
      <StockBadge stock={product.stock} />
    </span>
  )
}
