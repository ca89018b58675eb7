import { useState } from 'react'
import { ApiError } from '@/api/client'
import { subjectOf } from '@/features/catalogue/product-picture'
import { DialogForm } from '@/features/catalogue/seller/dialog-form'
import { Conflict, type Difference, pictureDifference } from '@/features/catalogue/seller/edit-conflict'
import { errorText } from '@/features/catalogue/seller/error-text'
import type { ConflictChoice } from '@/features/catalogue/seller/merge-edits'
import { FIELD_NAMES, ProductFields } from '@/features/catalogue/seller/product-fields'
import { ProductPictureField, productFailure, useProductForm } from '@/features/catalogue/seller/product-form'
import { productsApi } from '@/features/catalogue/seller/product-mutations'
import {
  changedFields,
  checkProduct,
  fieldsToUpdate,
  mergeValues,
  type ProductValues,
  productValues,
  toFieldText,
} from '@/features/catalogue/seller/product-values'
import { type SellerProduct, updateProductInLists } from '@/features/catalogue/seller/products-api'
import { mainPicture, UploadsFailed } from '@/features/catalogue/seller/use-more-pictures'
import { Picture } from '@/features/media/picture'
import { formatDateTime } from '@/lib/dates-time'
import { loadWithMessages, type RawText, t as text, useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { formatMoney, formatNumber, toPaisa } from '@/lib/money'
import { lazyWithRetry } from '@/ui/lazy-with-retry'
import { toast } from '@/ui/toast'
import type { ReadField } from '@/ui/use-form'

type EditProductProps = {
  product: SellerProduct
  onSaved: (product: SellerProduct) => void
  /** `stale` is true when the list may be out of date. */
  onClose: (stale: boolean) => void
}

const ID = 'edit-product'
const SaleDialog = lazyWithRetry(async () => {
  const loaded = await loadWithMessages(
    'features/catalogue/seller/sale-dialog',
    () => import('@/features/catalogue/seller/sale-dialog'),
  )
  return loaded.SaleDialog
})

export function EditProduct({ product: opened, onSaved, onClose }: EditProductProps) {
  const t = useT()
  const lang = useLang()
  /** The product that the form was filled from: as it was opened, or as another seller has changed it since. */
  const [base, setBase] = useState(opened)
  const [theirs, setTheirs] = useState<SellerProduct | null>(null)
  const [selling, setSelling] = useState(false)
  const product = useProductForm(
    ID,
    () => productValues(opened),
    opened.moreImages ?? [],
    (wanted) => checkEdit(base, wanted),
    (error) => failureOf(error),
  )
  const { values, setValues, picture, more, busy } = product
  const changesMore = more.isChanged(base.moreImages ?? [])
  const dirty = picture !== null || changesMore || changedFields(productValues(base), values).length > 0

  const save = (from: SellerProduct, wanted: ProductValues) => {
    const work = async (_: ReadField, onProgress: (part: number) => void) => {
      const fields = fieldsToUpdate(from, wanted, picture !== null || changesMore)
      // Without its main picture a product shows the first of the others.
      const first = picture === null ? more.main : null
      if (changesMore) fields.moreImages = await more.field(first)
      const change = picture ?? (first ? 'remove' : null)
      const saved = await productsApi.update(from.slug, fields, change, onProgress)
      // The stock as typed, before a conflict recalculated it.
      const typed = Number(values.stock || 0)
      const moved = wanted.stock !== productValues(from).stock && saved.stock !== typed
      toast.success(
        moved
          ? (text('seller.products.stockMoved', { n: formatNumber(saved.stock, lang) }) as RawText)
          : 'seller.products.updated',
      )
      onSaved(saved)
    }
    const found = product.checkAll(wanted, (typed) => checkEdit(from, typed))
    return product.send(work, found)
  }

  const failureOf = (error: unknown) => {
    if (error instanceof UploadsFailed) return productFailure(error, 'seller.products.moreImagesFailed')
    const fresh = error instanceof ApiError ? (error.data as SellerProduct | undefined) : undefined
    if (error instanceof ApiError && error.code === 'product_changed' && fresh) {
      void updateProductInLists(fresh)
      setTheirs(fresh)
      return undefined
    }
    const said = errorText(error)
    if (error instanceof ApiError && error.code === 'stock_changed' && fresh) {
      void updateProductInLists(fresh)
      // Only the stock is taken over; the version check reports all other changes.
      setBase((from) => ({ ...from, stock: fresh.stock }))
      const stock = text('seller.products.conflict.stock', { n: formatNumber(fresh.stock, lang) }) as RawText
      return { toast: said, errors: { stock } }
    }
    return { toast: said, ...productFailure(error, said) }
  }

  const settle = (whose: ConflictChoice) => {
    if (!theirs) return
    const merged = mergeValues(base, values, theirs, whose)
    setBase(theirs)
    setValues(merged)
    setTheirs(null)
    const hasOtherImage = (base.image || '') !== (theirs.image || '')
    const hasOtherImages = keysOf(base) !== keysOf(theirs) || (more.main !== null && hasOtherImage)
    if (!changesMore || (whose === 'theirs' && hasOtherImages)) more.reset(theirs.moreImages ?? [])
    if (whose === 'mine') return save(theirs, merged)
    if (hasOtherImage) product.choose(null, null)
    return document.getElementById(`${ID}-name`)?.focus()
  }

  /** A sale changes no version; if somebody else has changed the product meanwhile, saving says so. */
  const takeSale = (fresh: SellerProduct) =>
    setBase((from) => (fresh.version === from.version ? { ...fresh, stock: from.stock } : from))

  return (
    <>
      <DialogForm
        id={ID}
        leaveId="leave-product"
        title={t('seller.products.editTitle')}
        submit={t('seller.products.save')}
        form={product}
        dirty={dirty}
        conflict={
          theirs ? (
            <Conflict
              title={t('seller.products.conflict.title')}
              differences={differences(base, values, theirs, picture ?? more.main, changesMore)}
              busy={busy}
              onTheirs={() => settle('theirs')}
              onMine={() => settle('mine')}
            />
          ) : null
        }
        onSubmit={() => save(base, values)}
        onClose={onClose}
      >
        <ProductFields
          form={product}
          values={values}
          onChange={product.edit}
          lowestRating={0}
          categoryNow={localText(base, 'category', lang)}
          underPrice={<SaleSummary product={base} onOpen={() => setSelling(true)} />}
          picture={
            <ProductPictureField
              // When the current picture changes, the chosen file is dropped.
              key={base.image}
              product={product}
              stored={mainPicture(base)}
              now={
                <Picture
                  src={base.image}
                  srcSet={base.imageSet}
                  sizes="96px"
                  alt=""
                  seed={base.categorySlug}
                  subject={subjectOf(base)}
                />
              }
            />
          }
        />
      </DialogForm>
      {selling ? <SaleDialog product={base} onChange={takeSale} onClose={() => setSelling(false)} /> : null}
    </>
  )
}

/** What a running sale changes about the price, and the way to all sales. */
function SaleSummary({ product, onOpen }: { product: SellerProduct; onOpen: () => void }) {
  const t = useT()
  const lang = useLang()
  const money = (rupees: number) => formatMoney(toPaisa(rupees), lang, 'auto')
  const { price, wasPrice, saleEndsAt } = product
  return (
    <p className="sale-summary">
      {wasPrice && saleEndsAt ? (
        <span>
          {t('seller.sales.running', {
            price: money(price),
            was: money(wasPrice),
            until: formatDateTime(saleEndsAt, lang),
          })}
        </span>
      ) : null}
      <button type="button" className="button button-outline" aria-haspopup="dialog" onClick={onOpen}>
        {t('seller.sales.title')}
      </button>
    </p>
  )
}

const keysOf = ({ moreImages = [] }: SellerProduct) => moreImages.map(({ key }) => key).join()

const checkEdit = (from: SellerProduct, wanted: ProductValues) =>
  checkProduct(wanted, 0, changedFields(productValues(from), wanted))

/** The fields that the other seller changed, and those that both changed. */
function differences(
  base: SellerProduct,
  mine: ProductValues,
  theirs: SellerProduct,
  picture: object | string | null,
  changesMore: boolean,
): Difference[] {
  const before = productValues(base)
  const after = productValues(theirs)
  const own = changedFields(before, mine)
  const shown = (product: SellerProduct, values: ProductValues, field: keyof ProductValues) =>
    field === 'category' ? product.category : toFieldText(values[field])
  const fields: Difference[] = changedFields(before, after)
    // A stock that was changed by a sale is not an edit.
    .filter((field) => field !== 'stock')
    .map((field) => ({
      field,
      name: text(FIELD_NAMES[field]),
      before: shown(base, before, field),
      after: shown(theirs, after, field),
      mine: own.includes(field),
    }))
  const image = pictureDifference(
    'image',
    text('seller.products.image'),
    base.image,
    theirs.image,
    picture !== null,
  )
  const [count, nextCount] = [base, theirs].map(({ moreImages = [] }) => String(moreImages.length))
  const moreImages =
    keysOf(base) === keysOf(theirs)
      ? []
      : [
          {
            field: 'moreImages',
            name: text('seller.products.moreImages'),
            before: count ?? '',
            after: nextCount ?? '',
            mine: changesMore,
          },
        ]
  return [...fields, ...image, ...moreImages]
}
