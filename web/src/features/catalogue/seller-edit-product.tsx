import { useState } from 'react'
import { Refusal } from '@/api/client'
import { Conflict, type Difference, pictureDifference } from '@/features/catalogue/seller-conflict'
import { DialogForm } from '@/features/catalogue/seller-dialog-form'
import { failureText } from '@/features/catalogue/seller-failure'
import type { Whose } from '@/features/catalogue/seller-merge'
import { FIELD_NAMES, ProductFields, spell } from '@/features/catalogue/seller-product-fields'
import { ProductPicture, useProductForm } from '@/features/catalogue/seller-product-form'
import {
  changedFields,
  checkProduct,
  fieldsToUpdate,
  mergeValues,
  type ProductValues,
  sentText,
  valuesOf,
} from '@/features/catalogue/seller-product-values'
import { putProduct, type SellerProduct } from '@/features/catalogue/seller-products-api'
import { productsApi } from '@/features/catalogue/seller-products-write'
import { wrongNumbers } from '@/features/catalogue/seller-wrong-numbers'
import type { PhotoChoice } from '@/features/media/photo-field'
import { Picture } from '@/features/media/picture'
import { glyphOf } from '@/features/media/plate'
import { type RawText, t as text, useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { formatNumber } from '@/lib/money'
import { toast } from '@/ui/toast'

type EditProductProps = {
  product: SellerProduct
  onSaved: (product: SellerProduct) => void
  /** `stale` when the list may show what is no longer so. */
  onClose: (stale: boolean) => void
}

const ID = 'edit-product'

export function EditProduct({ product: opened, onSaved, onClose }: EditProductProps) {
  const t = useT()
  const lang = useLang()
  /** The product as the form knows it: as it was opened, or as somebody else left it meanwhile. */
  const [base, setBase] = useState(opened)
  const [theirs, setTheirs] = useState<SellerProduct | null>(null)
  const product = useProductForm(
    ID,
    () => valuesOf(opened),
    (wanted) => spell(checkProduct(wanted, 0, changedFields(valuesOf(base), wanted))),
  )
  const { form, values, setValues, picture, errors, busy, refuse } = product
  const dirty = picture !== null || changedFields(valuesOf(base), values).length > 0

  const save = (from: SellerProduct, wanted: ProductValues) => {
    const found = {
      ...spell(checkProduct(wanted, 0, changedFields(valuesOf(from), wanted))),
      ...wrongNumbers(form.current),
    }
    const work = async (onProgress: (part: number) => void) => {
      const fields = fieldsToUpdate(from, wanted, picture !== null)
      const saved = await productsApi.update(from.slug, fields, picture, onProgress)
      // As it was typed, before a conflict counted it anew.
      const typed = Number(values.stock || 0)
      const moved = wanted.stock !== valuesOf(from).stock && saved.stock !== typed
      toast.success(
        moved
          ? (text('sprod.stockMoved', { n: formatNumber(saved.stock, lang) }) as RawText)
          : 'sprod.updated',
      )
      onSaved(saved)
    }
    return product.send(found, work, (error) => fail(error, from))
  }

  const fail = (error: unknown, from: SellerProduct) => {
    const fresh = error instanceof Refusal ? (error.data as SellerProduct | undefined) : undefined
    if (error instanceof Refusal && error.code === 'product_changed' && fresh) {
      void putProduct(fresh)
      setTheirs(fresh)
      return
    }
    const said = failureText(error)
    toast.error(said)
    if (error instanceof Refusal && error.code === 'stock_changed' && fresh) {
      void putProduct(fresh)
      // Only the stock is taken over: what else is new is for the version to tell.
      setBase({ ...from, stock: fresh.stock })
      refuse({ stock: text('sprod.now.stock', { n: formatNumber(fresh.stock, lang) }) })
      return
    }
    product.tell(error, said)
  }

  const settle = (whose: Whose) => {
    if (!theirs) return
    const merged = mergeValues(base, values, theirs, whose)
    setBase(theirs)
    setValues(merged)
    setTheirs(null)
    if (whose === 'mine') return save(theirs, merged)
    if ((base.image || '') !== (theirs.image || '')) product.choose(null, null)
    return document.getElementById(`${ID}-name`)?.focus()
  }

  return (
    <DialogForm
      id={ID}
      leaveId="leave-product"
      title={t('sprod.editTitle')}
      submit={t('sprod.save')}
      form={form}
      problems={product.problems}
      sending={product}
      dirty={dirty}
      conflict={
        theirs ? (
          <Conflict
            title={t('sprod.changed')}
            differences={differences(base, values, theirs, picture)}
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
        id={ID}
        values={values}
        onChange={product.edit}
        errors={errors}
        lowestRating={0}
        categoryNow={localText(base, 'category', lang)}
        picture={
          <ProductPicture
            // Another picture: the file that was chosen against the former one is let go.
            key={base.image}
            of={product}
            hasPicture={Boolean(base.image)}
            now={
              <Picture
                src={base.image}
                srcSet={base.imageSet}
                sizes="96px"
                alt=""
                seed={base.categorySlug}
                glyph={glyphOf(base)}
              />
            }
          />
        }
      />
    </DialogForm>
  )
}

/** What the other one changed, and where that meets our own changes. */
function differences(
  base: SellerProduct,
  mine: ProductValues,
  theirs: SellerProduct,
  picture: PhotoChoice,
): Difference[] {
  const before = valuesOf(base)
  const after = valuesOf(theirs)
  const own = changedFields(before, mine)
  const shown = (product: SellerProduct, values: ProductValues, field: keyof ProductValues) =>
    field === 'category' ? product.category : sentText(values[field])
  const fields: Difference[] = changedFields(before, after)
    // Sold meanwhile is nobody's change.
    .filter((field) => field !== 'stock')
    .map((field) => ({
      field,
      name: text(FIELD_NAMES[field]),
      before: shown(base, before, field),
      after: shown(theirs, after, field),
      mine: own.includes(field),
    }))
  const image = pictureDifference('image', text('sprod.image'), base.image, theirs.image, picture !== null)
  return [...fields, ...image]
}
