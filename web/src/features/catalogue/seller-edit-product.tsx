import { type FormEvent, useRef, useState } from 'react'
import { Refusal } from '@/api/client'
import { Conflict, type Difference, pictureDifference } from '@/features/catalogue/seller-conflict'
import { failureText, fieldOf } from '@/features/catalogue/seller-failure'
import {
  FIELD_NAMES,
  type FieldTexts,
  ProductFields,
  spell,
} from '@/features/catalogue/seller-product-fields'
import {
  changedFields,
  checkProduct,
  fieldsToUpdate,
  mergeValues,
  PRODUCT_FIELDS,
  type ProductValues,
  sentText,
  valuesOf,
} from '@/features/catalogue/seller-product-values'
import { putProduct, type SellerProduct } from '@/features/catalogue/seller-products-api'
import { productsApi } from '@/features/catalogue/seller-products-write'
import { wrongNumbers } from '@/features/catalogue/seller-wrong-numbers'
import type { PhotoChoice } from '@/features/media/photo-field'
import { Picture } from '@/features/media/picture'
import { PictureField } from '@/features/media/picture-field'
import { glyphOf } from '@/features/media/plate'
import { type MessageId, type RawText, say, t as text, useLang, useT } from '@/lib/i18n'
import { localText } from '@/lib/local-text'
import { formatNumber } from '@/lib/money'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { Dialog } from '@/ui/dialog'
import { ErrorSummary } from '@/ui/error-summary'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { useBusy } from '@/ui/use-busy'
import { useLeaveQuestion } from '@/ui/use-leave-question'

type EditProductProps = {
  product: SellerProduct
  onSaved: (product: SellerProduct) => void
  /** `stale` when the list may show what is no longer so. */
  onClose: (stale: boolean) => void
}

const ID = 'edit-product'

export function EditProduct({ product, onSaved, onClose }: EditProductProps) {
  const t = useT()
  const lang = useLang()
  /** The product as the form knows it: as it was opened, or as somebody else left it meanwhile. */
  const [base, setBase] = useState(product)
  const [values, setValues] = useState(() => valuesOf(product))
  const [picture, setPicture] = useState<PhotoChoice>(null)
  /** Said of a file when it was chosen; nothing was sent, so it is no matter for the summary. */
  const [wrongFile, setWrongFile] = useState<'type' | 'size' | null>(null)
  const [progress, setProgress] = useState<number>()
  const [errors, setErrors] = useState<FieldTexts>({})
  const [attempt, setAttempt] = useState(0)
  const [problem, setProblem] = useState<MessageId | RawText | null>(null)
  const [theirs, setTheirs] = useState<SellerProduct | null>(null)
  const [asking, setAsking] = useState(false)
  const [busy, run] = useBusy()
  const form = useRef<HTMLFormElement>(null)
  const dirty = picture !== null || changedFields(valuesOf(base), values).length > 0

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

  const save = (from: SellerProduct, wanted: ProductValues) => {
    setProblem(null)
    toast.dismissAll()
    const found = {
      ...spell(checkProduct(wanted, 0, changedFields(valuesOf(from), wanted))),
      ...wrongNumbers(form.current),
    }
    if (Object.keys(found).length > 0) return refuse(found)
    setErrors({})
    return void run(async () => {
      try {
        const fields = fieldsToUpdate(from, wanted, picture !== null)
        const saved = await productsApi.update(from.slug, fields, picture, setProgress)
        // As it was typed, before a conflict counted it anew.
        const typed = Number(values.stock || 0)
        const moved = wanted.stock !== valuesOf(from).stock && saved.stock !== typed
        toast.success(
          moved
            ? (text('sprod.stockMoved', { n: formatNumber(saved.stock, lang) }) as RawText)
            : 'sprod.updated',
        )
        onSaved(saved)
      } catch (error) {
        fail(error, from)
      } finally {
        setProgress(undefined)
      }
    })
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
    const field = fieldOf(error)
    if (field && (field === 'image' || field in FIELD_NAMES)) refuse({ [field]: say(said) })
    else setProblem(said)
  }

  const settle = (whose: 'mine' | 'theirs') => {
    if (!theirs) return
    const merged = mergeValues(base, values, theirs, whose)
    setBase(theirs)
    setValues(merged)
    setTheirs(null)
    if (whose === 'mine') return save(theirs, merged)
    if ((base.image || '') !== (theirs.image || '')) {
      setPicture(null)
      setWrongFile(null)
    }
    return document.getElementById(`${ID}-name`)?.focus()
  }

  const [leaving, decide] = useLeaveQuestion(() => dirty)
  const close = () => {
    if (busy) return
    if (dirty) setAsking(true)
    else onClose(problem !== null)
  }

  const problems = (['image', ...PRODUCT_FIELDS] as const).flatMap((field) => {
    const said = errors[field]
    return said ? [{ id: `${ID}-${field}`, text: said }] : []
  })

  return (
    <>
      <Dialog id={ID} look="form" title={t('sprod.editTitle')} onClose={close}>
        <form
          ref={form}
          className="form wide-form"
          noValidate
          onSubmit={(event: FormEvent<HTMLFormElement>) => {
            event.preventDefault()
            if (!theirs) save(base, values)
            else event.currentTarget.querySelector<HTMLElement>('.conflict')?.focus()
          }}
        >
          <ErrorSummary problems={problems} attempt={attempt} />
          <ProductFields
            id={ID}
            values={values}
            onChange={edit}
            errors={errors}
            lowestRating={0}
            categoryNow={localText(base, 'category', lang)}
            picture={
              <PictureField
                // Another picture: the file that was chosen against the former one is let go.
                key={base.image}
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
                progress={progress}
              />
            }
          />
          {theirs ? (
            <Conflict
              title={t('sprod.changed')}
              differences={differences(base, values, theirs, picture)}
              busy={busy}
              onTheirs={() => settle('theirs')}
              onMine={() => settle('mine')}
            />
          ) : null}
          {problem ? (
            <p className="form-problem" role="alert">
              {say(problem)}
            </p>
          ) : null}
          <div className="button-row desk-bar">
            <SubmitButton busy={busy}>{t('sprod.save')}</SubmitButton>
            <button type="button" className="button button-outline" disabled={busy} onClick={close}>
              {t('profile.cancel')}
            </button>
          </div>
        </form>
      </Dialog>
      {/* Outside: a form inside a form sends the outer one. */}
      {asking || leaving ? (
        <ConfirmDialog
          id="leave-product"
          title={t('sprod.leave.title')}
          text={t('sprod.leave.text')}
          confirm={t('sprod.leave.go')}
          keep={t('sprod.leave.stay')}
          onConfirm={() => (leaving ? decide(true) : onClose(problem !== null))}
          onCancel={() => {
            decide(false)
            setAsking(false)
          }}
        />
      ) : null}
    </>
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
