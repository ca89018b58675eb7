import { type ReactNode, useState } from 'react'
import type { Schemas } from '@/api/client'
import { errorField } from '@/features/catalogue/seller/error-text'
import { invalidNumbers } from '@/features/catalogue/seller/invalid-numbers'
import {
  changedFields,
  PRODUCT_FIELDS,
  type ProductErrors,
  type ProductFormField,
  type ProductValues,
} from '@/features/catalogue/seller/product-values'
import {
  type MorePicture,
  UploadsFailed,
  useMorePictures,
} from '@/features/catalogue/seller/use-more-pictures'
import type { PhotoChoice } from '@/features/media/photo-field'
import { PictureField } from '@/features/media/picture-field'
import { loadWithMessages, type MessageId, type RawText, useT } from '@/lib/i18n'
import { lazyWithRetry } from '@/ui/lazy-with-retry'
import { type FormFailure, useForm } from '@/ui/use-form'

/** Loads when a form opens; the list of products does not need it. */
const MorePicturesField = lazyWithRetry(
  async () =>
    (
      await loadWithMessages(
        'features/catalogue/seller/more-pictures-field',
        () => import('@/features/catalogue/seller/more-pictures-field'),
      )
    ).MorePicturesField,
)

const NAMES = ['image', 'moreImages', ...PRODUCT_FIELDS] as const

type Picture = Schemas['Picture']

/** The state of a product's form: values, picture and errors. `id` is the prefix of every field's id. */
export function useProductForm(
  id: string,
  start: () => ProductValues,
  startPictures: Picture[],
  check: (values: ProductValues) => ProductErrors,
  onError: (error: unknown) => FormFailure<ProductFormField> | undefined,
) {
  const [values, setValues] = useState(start)
  const form = useForm<ProductFormField>({ id, names: NAMES, check: () => checkAll(values), onError })
  const checkAll = (wanted: ProductValues, checked = check): ProductErrors => ({
    ...checked(wanted),
    ...invalidNumbers(form.ref.current),
  })
  const [picture, setPicture] = useState<PhotoChoice>(null)
  const more = useMorePictures(startPictures)
  /** The problem with a file when it was chosen; nothing was sent yet, so the error summary does not show it. */
  const [wrongFile, setWrongFile] = useState<'type' | 'size' | null>(null)

  /**
   * Clears the errors of changed fields, because the server's error was about the old value; our own check runs again.
   */
  const edit = (next: ProductValues) => {
    form.clearErrors(...changedFields(values, next))
    setValues(next)
  }
  const choose = (choice: PhotoChoice, wrong: 'type' | 'size' | null) => {
    setPicture(choice)
    setWrongFile(wrong)
  }
  return { ...form, id, checkAll, values, setValues, picture, more, wrongFile, edit, choose }
}

/** Shows the server's error at its field, or below all fields. */
export function productFailure(error: unknown, text: MessageId | RawText): FormFailure<ProductFormField> {
  if (error instanceof UploadsFailed) return { errors: { moreImages: text } }
  const field = NAMES.find((name) => name === errorField(error))
  return field ? { errors: { [field]: text } } : { problem: text }
}

type ProductPictureFieldProps = {
  product: ReturnType<typeof useProductForm>
  now?: ReactNode
  /** The main picture that is stored. */
  stored?: Picture | undefined
}

export function ProductPictureField({ product, now, stored }: ProductPictureFieldProps) {
  const { id, picture, more, choose, wrongFile, clearErrors, progress } = product
  const t = useT()
  const main = picture === 'remove' ? undefined : (picture ?? more.main ?? stored)
  const makeMain = (item: MorePicture) => {
    more.makeMain(item, main)
    choose(null, null)
    clearErrors('image', 'moreImages')
    const picker = document.getElementById(`${id}-image`) as HTMLInputElement
    // Otherwise the same file could not be chosen again.
    picker.value = ''
    // The pressed button goes with its picture.
    picker.focus()
  }
  return (
    <>
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
          clearErrors('image')
        }}
        error={wrongFile ? t(`photo.${wrongFile}`) : product.error('image')}
        hasPicture={Boolean(more.main ?? stored)}
        now={
          more.main ? (
            <img
              src={more.main.image}
              srcSet={more.main.imageSet}
              sizes="96px"
              alt={t('seller.products.imagePreview')}
            />
          ) : (
            now
          )
        }
        progress={progress}
      />
      <MorePicturesField
        id={`${id}-moreImages`}
        more={more}
        hasMain={main !== undefined}
        onChange={() => clearErrors('moreImages')}
        onMakeMain={makeMain}
        error={product.error('moreImages')}
      />
    </>
  )
}
