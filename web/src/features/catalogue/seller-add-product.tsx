import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Refusal } from '@/api/client'
import { dropDraft, keepDraft, readDraft } from '@/features/catalogue/seller-draft'
import { fieldOf, refusedText, unanswered } from '@/features/catalogue/seller-failure'
import {
  FIELD_NAMES,
  type FieldTexts,
  ProductFields,
  spell,
} from '@/features/catalogue/seller-product-fields'
import {
  changedFields,
  checkProduct,
  fieldsToAdd,
  NO_PRODUCT,
  PRODUCT_FIELDS,
  type ProductValues,
} from '@/features/catalogue/seller-product-values'
import { nameTaken, type SellerProduct } from '@/features/catalogue/seller-products-api'
import { productsApi } from '@/features/catalogue/seller-products-write'
import { wrongNumbers } from '@/features/catalogue/seller-wrong-numbers'
import type { PhotoChoice } from '@/features/media/photo-field'
import { PictureField } from '@/features/media/picture-field'
import { type MessageId, type RawText, say, useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { useDebounced } from '@/lib/use-debounced'
import { ErrorSummary } from '@/ui/error-summary'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'

const ID = 'add'
const TYPING_MS = 400

/** `draftKey` is where this tab keeps what was begun. */
export function AddProduct({ draftKey }: { draftKey: string }) {
  const t = useT()
  const [draft] = useState(() => readDraft(draftKey))
  const [values, setValues] = useState(draft ?? NO_PRODUCT)
  const [restored, setRestored] = useState(draft !== null)
  const [picture, setPicture] = useState<PhotoChoice>(null)
  /** Said of a file when it was chosen; nothing was sent, so it is no matter for the summary. */
  const [wrongFile, setWrongFile] = useState<'type' | 'size' | null>(null)
  const [progress, setProgress] = useState<number>()
  const [errors, setErrors] = useState<FieldTexts>({})
  const [attempt, setAttempt] = useState(0)
  const [problem, setProblem] = useState<MessageId | RawText | null>(null)
  const [added, setAdded] = useState<SellerProduct | null>(null)
  const [busy, run] = useBusy()
  const form = useRef<HTMLFormElement>(null)
  const taken = useNameTaken(values.name)

  useEffect(() => keepDraft(draftKey, values), [draftKey, values])

  /** What is being mended is no longer wrong; whether it is right shows when it is sent. */
  const edit = (next: ProductValues) => {
    const mended = changedFields(values, next)
    setValues(next)
    setErrors((all) => ({ ...all, ...Object.fromEntries(mended.map((field) => [field, undefined])) }))
  }
  const refuse = (found: FieldTexts) => {
    setErrors(found)
    setAttempt((count) => count + 1)
  }
  const empty = () => {
    setValues(NO_PRODUCT)
    setPicture(null)
    setWrongFile(null)
    setErrors({})
    setProblem(null)
    setRestored(false)
    setTimeout(() => document.getElementById(`${ID}-name`)?.focus())
  }

  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setProblem(null)
    setAdded(null)
    toast.dismissAll()
    const found = { ...spell(checkProduct(values, 1)), ...wrongNumbers(form.current) }
    if (Object.keys(found).length > 0) return refuse(found)
    setErrors({})
    return void run(async () => {
      try {
        const file = picture instanceof File ? picture : null
        setAdded(await productsApi.add(fieldsToAdd(values), file, setProgress))
        toast.success('sprod.added')
        // Also when the page was left meanwhile: then nothing else would.
        dropDraft(draftKey, values)
        empty()
      } catch (error) {
        fail(error)
      } finally {
        setProgress(undefined)
      }
    })
  }

  const fail = (error: unknown) => {
    if (!(error instanceof Refusal)) {
      const said = unanswered(error) ? 'sprod.noResponse' : 'sprod.addFailed'
      toast.error(said)
      setProblem(said)
      return
    }
    toast.error('sprod.addFailed')
    const said = refusedText(error, 'sprod.addFailed')
    const field = fieldOf(error)
    if (field && (field === 'image' || field in FIELD_NAMES)) refuse({ [field]: say(said) })
    else setProblem(said)
  }

  const problems = (['image', ...PRODUCT_FIELDS] as const).flatMap((field) => {
    const said = errors[field]
    return said ? [{ id: `${ID}-${field}`, text: said }] : []
  })

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
      <form ref={form} className="form desk-form" noValidate onSubmit={onSubmit}>
        <ErrorSummary problems={problems} attempt={attempt} />
        <ProductFields
          id={ID}
          values={values}
          onChange={edit}
          errors={errors}
          lowestRating={1}
          picture={
            <PictureField
              id={`${ID}-image`}
              label={t('sprod.image')}
              hint={t('sprod.hint')}
              mark="optional"
              drop={t('sprod.drop')}
              previewAlt={t('sprod.preview')}
              choice={picture}
              onChoice={(choice, wrong) => {
                setPicture(choice)
                setWrongFile(wrong)
                setErrors({ ...errors, image: undefined })
              }}
              error={wrongFile ? t(`photo.${wrongFile}`) : errors.image}
              progress={progress}
            />
          }
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
        {problem ? (
          <p className="form-problem" role="alert">
            {say(problem)}
          </p>
        ) : null}
        <div className="button-row desk-bar">
          <SubmitButton busy={busy}>{t('sprod.submit')}</SubmitButton>
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
