import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { ApiError } from '@/api/client'
import { apiErrorText, errorText, isNetworkError } from '@/features/catalogue/seller/error-text'
import { discardDraft, readDraft, saveDraft } from '@/features/catalogue/seller/product-draft'
import { ProductFields } from '@/features/catalogue/seller/product-fields'
import { ProductPictureField, productFailure, useProductForm } from '@/features/catalogue/seller/product-form'
import { productsApi } from '@/features/catalogue/seller/product-mutations'
import {
  checkProduct,
  EMPTY_PRODUCT,
  fieldsToAdd,
  type ProductFormField,
} from '@/features/catalogue/seller/product-values'
import { nameTaken, type SellerProduct } from '@/features/catalogue/seller/products-api'
import { UploadsFailed } from '@/features/catalogue/seller/use-more-pictures'
import { useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { useDebounced } from '@/lib/use-debounced'
import { ErrorSummary } from '@/ui/error-summary'
import { FormProblem } from '@/ui/form-problem'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import type { FormFailure, ReadField } from '@/ui/use-form'

const ID = 'add'
const TYPING_MS = 400

/** `draftKey` is the storage key of this tab's draft. */
export function AddProduct({ draftKey }: { draftKey: string }) {
  const t = useT()
  const [draft] = useState(() => readDraft(draftKey))
  const [restored, setRestored] = useState(draft !== null)
  const [added, setAdded] = useState<SellerProduct | null>(null)
  const product = useProductForm(
    ID,
    () => draft ?? EMPTY_PRODUCT,
    [],
    (wanted) => checkProduct(wanted, 1),
    failureOf,
  )
  const { values, picture, more } = product
  const taken = useNameTaken(values.name)

  useEffect(() => saveDraft(draftKey, values), [draftKey, values])

  const empty = () => {
    product.setValues(EMPTY_PRODUCT)
    product.choose(null, null)
    more.reset([])
    product.reset()
    setRestored(false)
    setTimeout(() => document.getElementById(`${ID}-name`)?.focus())
  }

  const add = async (_: ReadField, onProgress: (part: number) => void) => {
    const file = picture instanceof File ? picture : null
    const moreImages = await more.field(file ? null : more.main)
    const fields = { ...fieldsToAdd(values), ...(moreImages ? { moreImages } : {}) }
    setAdded(await productsApi.add(fields, file, onProgress))
    toast.success('seller.products.added')
    // The draft is discarded here because the page may have been left in the meantime.
    discardDraft(draftKey, values)
    empty()
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setAdded(null)
    product.send(add)
  }

  return (
    <>
      <div role="status">
        {added ? (
          <p className="seller-note seller-note-success" data-testid="added">
            {t('seller.products.addedNamed', { name: added.name })}{' '}
            <Link className="link" to={paths.seller} search={{ search: added.name } as never}>
              {t('seller.products.viewInList')}
            </Link>
          </p>
        ) : null}
        {restored ? (
          <p className="seller-note">
            {t('seller.products.draftRestored')}{' '}
            <button type="button" className="link" onClick={empty}>
              {t('seller.products.draftDiscard')}
            </button>
          </p>
        ) : null}
      </div>
      <form className="form seller-form" {...product.watch} onSubmit={onSubmit}>
        <ErrorSummary problems={product.problems} />
        <ProductFields
          form={product}
          values={values}
          onChange={product.edit}
          lowestRating={1}
          picture={<ProductPictureField product={product} />}
          underName={
            <p className="field-note" role="status">
              {taken ? (
                <>
                  {t('seller.products.duplicate')}{' '}
                  <Link className="link" to={paths.seller} search={{ search: values.name.trim() } as never}>
                    {t('seller.products.duplicateShow')}
                  </Link>
                </>
              ) : null}
            </p>
          }
        />
        <FormProblem problem={product.problem} />
        <div className="button-row seller-form-bar">
          <SubmitButton busy={product.busy}>{t('seller.products.submit')}</SubmitButton>
        </div>
      </form>
    </>
  )
}

function failureOf(error: unknown): FormFailure<ProductFormField> {
  if (error instanceof ApiError) {
    const text = apiErrorText(error, 'seller.products.addFailed')
    return { toast: 'seller.products.addFailed', ...productFailure(error, text) }
  }
  if (error instanceof UploadsFailed) return productFailure(error, 'seller.products.moreImagesFailed')
  const toasted = isNetworkError(error) ? 'seller.products.noResponse' : 'seller.products.addFailed'
  return { toast: toasted, problem: errorText(error) }
}

/** Only a hint: two products may share a name. */
function useNameTaken(typed: string): boolean {
  const name = useDebounced(typed.trim(), TYPING_MS)
  const { data = false } = useQuery({
    ...nameTaken(name),
    enabled: name.length > 1 && name === typed.trim(),
  })
  return data && name === typed.trim()
}
