import { type ReactNode, useState } from 'react'
import { ApiError } from '@/api/client'
import { CategoryIcon, CategoryPicture } from '@/features/catalogue/category-picture'
import { categoriesApi, type SellerCategory } from '@/features/catalogue/seller/categories-api'
import {
  type CategoryErrors,
  type CategoryField,
  type CategoryPictures,
  type CategoryValues,
  categoryErrorText,
  categoryValues,
  changedTexts,
  checkCategory,
  EMPTY_CATEGORY,
  mergeTexts,
  textsToAdd,
  textsToUpdate,
} from '@/features/catalogue/seller/category-values'
import { DialogForm } from '@/features/catalogue/seller/dialog-form'
import { Conflict, type Difference, pictureDifference } from '@/features/catalogue/seller/edit-conflict'
import { errorField } from '@/features/catalogue/seller/error-text'
import type { ConflictChoice } from '@/features/catalogue/seller/merge-edits'
import { PictureField } from '@/features/media/picture-field'
import { type MessageId, messageText, useT } from '@/lib/i18n'
import { LongField, TextField } from '@/ui/field'
import { OptionalFields } from '@/ui/optional-fields'
import { toast } from '@/ui/toast'
import { type ReadField, useForm } from '@/ui/use-form'

type CategoryFormProps = {
  /** The category to edit, or null for a new one. */
  category: SellerCategory | null
  onSaved: (category: SellerCategory) => void
  /** `stale` is true when the list may be out of date. */
  onClose: (stale: boolean) => void
}

const ID = 'category'
const ORDER = ['name', 'description', 'image', 'icon', 'nameNe', 'descriptionNe'] as const
const NAMES = {
  name: 'seller.categories.name',
  description: 'seller.categories.description',
  nameNe: 'seller.categories.nameNe',
  descriptionNe: 'seller.categories.descriptionNe',
} as const satisfies Record<CategoryField, MessageId>
const PICTURES = ['image', 'icon'] as const
const NO_PICTURES: CategoryPictures = { image: null, icon: null }

export function CategoryForm({ category, onSaved, onClose }: CategoryFormProps) {
  const t = useT()
  const [base, setBase] = useState(category)
  const [values, setValues] = useState(() => (category ? categoryValues(category) : EMPTY_CATEGORY))
  const [pictures, setPictures] = useState(NO_PICTURES)
  /** Problems with a file when it was chosen; nothing was sent yet, so the error summary does not show them. */
  const [wrongFiles, setWrongFiles] = useState<CategoryErrors>({})
  const [theirs, setTheirs] = useState<SellerCategory | null>(null)
  const form = useForm<(typeof ORDER)[number]>({
    id: ID,
    names: ORDER,
    check: () => checkCategory(values, pictures, base && categoryValues(base)),
    onError: (error) => failureOf(error),
  })
  const before = base ? categoryValues(base) : EMPTY_CATEGORY
  const dirty = Boolean(pictures.image || pictures.icon) || changedTexts(before, values).length > 0

  const save = (from: SellerCategory | null, wanted: CategoryValues) => {
    const work = async (_: ReadField, onProgress: (part: number) => void) => {
      const saved = from
        ? await categoriesApi.update(from.slug, textsToUpdate(from, wanted), pictures, onProgress)
        : await categoriesApi.add(textsToAdd(wanted), pictures, onProgress)
      toast.success(from ? 'seller.categories.updated' : 'seller.categories.added')
      onSaved(saved)
    }
    return form.send(work, checkCategory(wanted, pictures, from && categoryValues(from)))
  }

  const failureOf = (error: unknown) => {
    if (error instanceof ApiError && error.code === 'category_changed' && error.data) {
      setTheirs(error.data as SellerCategory)
      return undefined
    }
    const text = categoryErrorText(
      error,
      base ? 'seller.categories.updateFailed' : 'seller.categories.addFailed',
    )
    const named = error instanceof ApiError && error.code === 'category_name_taken'
    const field = named ? 'name' : ORDER.find((each) => each === errorField(error))
    return {
      toast: text.toast,
      ...(field ? { errors: { [field]: text.inline } } : { problem: text.inline }),
    }
  }

  const settle = (whose: ConflictChoice) => {
    if (!theirs || !base) return
    const merged = mergeTexts(base, values, theirs, whose)
    setBase(theirs)
    setValues(merged)
    setTheirs(null)
    if (whose === 'mine') return save(theirs, merged)
    for (const field of PICTURES)
      if (base[field] !== theirs[field]) {
        setPictures((all) => ({ ...all, [field]: null }))
        setWrongFiles((all) => ({ ...all, [field]: undefined }))
      }
    return document.getElementById(`${ID}-name`)?.focus()
  }

  const text = (field: CategoryField) => ({
    ...form.field(field),
    label: t(NAMES[field]),
    value: values[field],
    onChange: ({ target }: { target: { value: string } }) => {
      setValues({ ...values, [field]: target.value })
      form.clearErrors(field)
    },
  })
  const mark = base ? 'optional' : 'required'
  const picture = (field: 'image' | 'icon', now: ReactNode, hasPicture: boolean) => {
    const said = form.errors[field] ?? wrongFiles[field]
    return (
      <PictureField
        // When the current picture changes, the chosen file is dropped.
        key={`${field} ${base?.[field]}`}
        id={`${ID}-${field}`}
        label={t(`seller.categories.${field}`)}
        hint={t('photo.hint')}
        mark={mark}
        drop={t('seller.products.imageDrop')}
        previewAlt={t(field === 'image' ? 'seller.categories.previewImage' : 'seller.categories.previewIcon')}
        choice={pictures[field]}
        onChoice={(choice, wrong) => {
          setPictures({ ...pictures, [field]: choice instanceof File ? choice : null })
          setWrongFiles({
            ...wrongFiles,
            [field]: wrong ? (`seller.categories.err.${wrong}` as const) : undefined,
          })
          form.clearErrors(field)
        }}
        error={said && messageText(said)}
        now={now}
        hasPicture={hasPicture}
        removable={false}
        progress={form.progress}
      />
    )
  }

  return (
    <DialogForm
      id={ID}
      leaveId="leave-category"
      title={t(base ? 'seller.categories.editTitle' : 'seller.categories.addTitle')}
      submit={t(base ? 'seller.products.save' : 'seller.categories.add')}
      form={form}
      dirty={dirty}
      conflict={
        theirs && base ? (
          <Conflict
            title={t('seller.categories.conflict')}
            differences={differences(base, values, theirs, pictures)}
            busy={form.busy}
            onTheirs={() => settle('theirs')}
            onMine={() => settle('mine')}
          />
        ) : null
      }
      onSubmit={() => save(base, values)}
      onClose={onClose}
    >
      <TextField {...text('name')} mark={mark} maxLength={60} autoComplete="off" />
      <LongField {...text('description')} mark={mark} rows={2} maxLength={500} />
      <div className="category-pictures">
        {picture(
          'image',
          base?.image ? <CategoryPicture category={base} sizes="96px" alt="" /> : null,
          Boolean(base?.image),
        )}
        {picture('icon', base?.icon ? <CategoryIcon icon={base.icon} /> : null, Boolean(base?.icon))}
      </div>
      <OptionalFields
        title={t('seller.categories.moreFields')}
        problemInside={Boolean(form.errors.nameNe || form.errors.descriptionNe)}
      >
        <TextField {...text('nameNe')} mark="optional" lang="ne" maxLength={60} autoComplete="off" />
        <LongField {...text('descriptionNe')} mark="optional" rows={2} maxLength={500} />
      </OptionalFields>
    </DialogForm>
  )
}

function differences(
  base: SellerCategory,
  mine: CategoryValues,
  theirs: SellerCategory,
  pictures: CategoryPictures,
): Difference[] {
  const before = categoryValues(base)
  const after = categoryValues(theirs)
  const own = changedTexts(before, mine)
  const texts: Difference[] = changedTexts(before, after).map((field) => ({
    field,
    name: messageText(NAMES[field]),
    before: before[field],
    after: after[field],
    mine: own.includes(field),
  }))
  const shown = PICTURES.flatMap((field) =>
    pictureDifference(
      field,
      messageText(`seller.categories.${field}`),
      base[field],
      theirs[field],
      pictures[field] !== null,
    ),
  )
  return [...texts, ...shown]
}
