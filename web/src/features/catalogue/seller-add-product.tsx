import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { Refusal } from '@/api/client'
import { dropDraft, keepDraft, readDraft } from '@/features/catalogue/seller-draft'
import { failureText, refusedText, unanswered } from '@/features/catalogue/seller-failure'
import { FormProblem } from '@/features/catalogue/seller-form-problem'
import { ProductFields, spell } from '@/features/catalogue/seller-product-fields'
import { ProductPicture, useProductForm } from '@/features/catalogue/seller-product-form'
import { checkProduct, fieldsToAdd, NO_PRODUCT } from '@/features/catalogue/seller-product-values'
import { nameTaken, type SellerProduct } from '@/features/catalogue/seller-products-api'
import { productsApi } from '@/features/catalogue/seller-products-write'
import { useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { useDebounced } from '@/lib/use-debounced'
import { ErrorSummary } from '@/ui/error-summary'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'

const ID = 'add'
const TYPING_MS = 400

/** `draftKey` is where this tab keeps what was begun. */
export function AddProduct({ draftKey }: { draftKey: string }) {
  const t = useT()
  const [draft] = useState(() => readDraft(draftKey))
  const [restored, setRestored] = useState(draft !== null)
  const [added, setAdded] = useState<SellerProduct | null>(null)
  const product = useProductForm(
    ID,
    () => draft ?? NO_PRODUCT,
    (wanted) => spell(checkProduct(wanted, 1)),
  )
  const { form, values, picture, errors, problem, setProblem } = product
  const taken = useNameTaken(values.name)

  useEffect(() => keepDraft(draftKey, values), [draftKey, values])

  const empty = () => {
    product.setValues(NO_PRODUCT)
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
      toast.success('sprod.added')
      // Also when the page was left meanwhile: then nothing else would.
      dropDraft(draftKey, values)
      empty()
    }
    product.send(found, work, fail)
  }

  const fail = (error: unknown) => {
    if (!(error instanceof Refusal)) {
      toast.error(unanswered(error) ? 'sprod.noResponse' : 'sprod.addFailed')
      setProblem(failureText(error))
      return
    }
    toast.error('sprod.addFailed')
    product.tell(error, refusedText(error, 'sprod.addFailed'))
  }

  return (
    <>
      <div role="status">
        {added ? (
          <p className="desk-note desk-note-good" data-testid="added">
            {t('sprod.addedNamed', { name: added.name })}{' '}
            <Link className="link" to={paths.seller} search={{ search: added.name } as never}>
              {t('sprod.viewInList')}
            </Link>
          </p>
        ) : null}
        {restored ? (
          <p className="desk-note">
            {t('sprod.draft')}{' '}
            <button type="button" className="link" onClick={empty}>
              {t('sprod.draftDrop')}
            </button>
          </p>
        ) : null}
      </div>
      <form ref={form} className="form desk-form" noValidate onSubmit={onSubmit} {...product.watch}>
        <ErrorSummary problems={product.problems} attempt={product.attempt} />
        <ProductFields
          id={ID}
          values={values}
          onChange={product.edit}
          errors={errors}
          lowestRating={1}
          picture={<ProductPicture of={product} />}
          underName={
            <p className="field-note" role="status">
              {taken ? (
                <>
                  {t('sprod.duplicate')}{' '}
                  <Link className="link" to={paths.seller} search={{ search: values.name.trim() } as never}>
                    {t('sprod.duplicateShow')}
                  </Link>
                </>
              ) : null}
            </p>
          }
        />
        <FormProblem of={problem} />
        <div className="button-row desk-bar">
          <SubmitButton busy={product.busy}>{t('sprod.submit')}</SubmitButton>
        </div>
      </form>
    </>
  )
}

/** A hint and no more: two products may well share a name. */
function useNameTaken(typed: string): boolean {
  const name = useDebounced(typed.trim(), TYPING_MS)
  const { data = false } = useQuery({
    ...nameTaken(name),
    enabled: name.length > 1 && name === typed.trim(),
  })
  return data && name === typed.trim()
}
