import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { ApiError } from '@/api/client'
import { apiErrorText, errorText, isNetworkError } from '@/features/catalogue/seller/error-text'
import { FormProblem } from '@/features/catalogue/seller/form-problem'
import { discardDraft, readDraft, saveDraft } from '@/features/catalogue/seller/product-draft'
import { ProductFields, translateErrors } from '@/features/catalogue/seller/product-fields'
import { ProductPictureField, useProductForm } from '@/features/catalogue/seller/product-form'
import { productsApi } from '@/features/catalogue/seller/product-mutations'
import { checkProduct, EMPTY_PRODUCT, fieldsToAdd } from '@/features/catalogue/seller/product-values'
import { nameTaken, type SellerProduct } from '@/features/catalogue/seller/products-api'
import { useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { useDebounced } from '@/lib/use-debounced'
import { ErrorSummary } from '@/ui/error-summary'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'

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
    (wanted) => translateErrors(checkProduct(wanted, 1)),
  )
  const { form, values, picture, errors, problem, setProblem } = product
  const taken = useNameTaken(values.name)

  useEffect(() => saveDraft(draftKey, values), [draftKey, values])

  const empty = () => {
    product.setValues(EMPTY_PRODUCT)
    product.choose(null, null)
    product.setErrors({})
    setProblem(null)
    setRestored(false)
    setTimeout(() => document.getElementById(`${ID}-name`)?.focus())
  }

  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setAdded(null)
    const found = product.checkAll()
    const work = async (onProgress: (part: number) => void) => {
      const file = picture instanceof File ? picture : null
      setAdded(await productsApi.add(fieldsToAdd(values), file, onProgress))
      toast.success('seller.products.added')
      // The draft is discarded here because the page may have been left in the meantime.
      discardDraft(draftKey, values)
      empty()
    }
    product.send(found, work, fail)
  }

  const fail = (error: unknown) => {
    if (!(error instanceof ApiError)) {
      toast.error(isNetworkError(error) ? 'seller.products.noResponse' : 'seller.products.addFailed')
      setProblem(errorText(error))
      return
    }
    toast.error('seller.products.addFailed')
    product.tell(error, apiErrorText(error, 'seller.products.addFailed'))
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
      <form ref={form} className="form seller-form" noValidate onSubmit={onSubmit} {...product.watch}>
        <ErrorSummary problems={product.problems} attempt={product.attempt} />
        <ProductFields
          id={ID}
          values={values}
          onChange={product.edit}
          errors={errors}
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
        <FormProblem problem={problem} />
        <div className="button-row seller-form-bar">
          <SubmitButton busy={product.busy}>{t('seller.products.submit')}</SubmitButton>
        </div>
      </form>
    </>
  )
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
