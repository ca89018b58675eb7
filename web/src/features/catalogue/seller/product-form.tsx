import { type ReactNode, useRef, useState } from 'react'
import { errorField } from '@/features/catalogue/seller/error-text'
import { invalidNumbers } from '@/features/catalogue/seller/invalid-numbers'
import { FIELD_NAMES, type FieldTexts } from '@/features/catalogue/seller/product-fields'
import { changedFields, PRODUCT_FIELDS, type ProductValues } from '@/features/catalogue/seller/product-values'
import { useSubmit } from '@/features/catalogue/seller/use-submit'
import type { PhotoChoice } from '@/features/media/photo-field'
import { PictureField } from '@/features/media/picture-field'
import { type MessageId, messageText, type RawText, useT } from '@/lib/i18n'

/** The state of a product's form: values, picture and errors. `id` is the prefix of every field's id. */
export function useProductForm(
  id: string,
  start: () => ProductValues,
  check: (values: ProductValues) => FieldTexts,
) {
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState(start)
  const checkAll = (wanted = values) => ({ ...check(wanted), ...invalidNumbers(form.current) })
  const sending = useSubmit<FieldTexts>(checkAll)
  const { errors, setErrors, refuse, setProblem } = sending
  const [picture, setPicture] = useState<PhotoChoice>(null)
  /** The problem with a file when it was chosen; nothing was sent yet, so the error summary does not show it. */
  const [wrongFile, setWrongFile] = useState<'type' | 'size' | null>(null)

  /**
   * Clears the errors of changed fields, because the server's error was about the old value; our own check runs again.
   */
  const edit = (next: ProductValues) => {
    const mended = changedFields(values, next)
    setValues(next)
    setErrors((all) => ({ ...all, ...Object.fromEntries(mended.map((field) => [field, undefined])) }))
  }
  const choose = (choice: PhotoChoice, wrong: 'type' | 'size' | null) => {
    setPicture(choice)
    setWrongFile(wrong)
  }
  /** Shows the server's error at its field, or below all fields. */
  const tell = (error: unknown, said: MessageId | RawText) => {
    const field = errorField(error)
    if (field && (field === 'image' || field in FIELD_NAMES)) refuse({ [field]: messageText(said) })
    else setProblem(said)
  }
  const problems = (['image', ...PRODUCT_FIELDS] as const).flatMap((field) => {
    const said = errors[field]
    return said ? [{ id: `${id}-${field}`, text: said }] : []
  })
  return {
    ...sending,
    checkAll,
    id,
    form,
    values,
    setValues,
    picture,
    wrongFile,
    edit,
    choose,
    tell,
    problems,
  }
}

type ProductPictureFieldProps = {
  product: ReturnType<typeof useProductForm>
  now?: ReactNode
  hasPicture?: boolean
}

export function ProductPictureField({ product, now, hasPicture = false }: ProductPictureFieldProps) {
  const { id, picture, choose, wrongFile, errors, setErrors, progress } = product
  const t = useT()
  return (
    <PictureField
      id={`${id}-image`}
      label={t('seller.products.image')}
      hint={t('seller.products.imageHint')}
      mark="optional"
      drop={t('seller.products.imageDrop')}
      previewAlt={t('seller.products.imagePreview')}
      choice={picture}
      onChoice={(choice, wrong) => {
        choose(choice, wrong)
        setErrors({ ...errors, image: undefined })
      }}
      error={wrongFile ? t(`photo.${wrongFile}`) : errors.image}
      hasPicture={hasPicture}
      now={now}
      progress={progress}
    />
  )
}
