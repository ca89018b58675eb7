import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { sellerCategories } from '@/features/catalogue/seller/categories-api'
import {
  OPTIONAL_FIELDS,
  type ProductField,
  type ProductFormField,
  type ProductValues,
} from '@/features/catalogue/seller/product-values'
import { TagsField } from '@/features/catalogue/seller/tags-field'
import { type MessageId, useLang, useT } from '@/lib/i18n'
import { localText, scriptLang } from '@/lib/local-text'
import { LongField, SelectField, TextField } from '@/ui/field'
import { latinDigitsRef } from '@/ui/latin-digits-ref'
import { OptionalFields } from '@/ui/optional-fields'
import type { useForm } from '@/ui/use-form'

/** The size of the descriptions. */
const LONG = { rows: 3, maxLength: 5000 }
const MEASURES = ['kg', 'g', 'l', 'ml', 'piece', 'dozen', 'bunch', 'box'] as const

/** The label of each field, also used to describe conflicts. */
export const FIELD_NAMES = {
  name: 'seller.products.name',
  description: 'seller.products.description',
  category: 'seller.products.category',
  price: 'seller.products.price',
  rating: 'seller.products.rating',
  reviews: 'seller.products.reviews',
  tags: 'seller.products.tags',
  stock: 'seller.products.stock',
  nameNe: 'seller.products.nameNe',
  descriptionNe: 'seller.products.descriptionNe',
  aliases: 'seller.products.aliases',
  tagsNe: 'seller.products.tagsNe',
  unitAmount: 'seller.products.unitAmount',
  unitMeasure: 'seller.products.unitMeasure',
  unitLabel: 'seller.products.unitLabel',
  unitLabelNe: 'seller.products.unitLabelNe',
  taxClass: 'seller.products.taxClass',
  barcode: 'seller.products.barcode',
  soldByWeight: 'seller.products.soldByWeight',
} as const satisfies Record<ProductField, MessageId>

type ProductFieldsProps = {
  form: Pick<ReturnType<typeof useForm<ProductFormField>>, 'field' | 'error'>
  values: ProductValues
  onChange: (values: ProductValues) => void
  lowestRating: 0 | 1
  /** The picture field, which comes first. */
  picture: ReactNode
  underName?: ReactNode
  underPrice?: ReactNode
  /** The name of the product's category, in case the list does not load. */
  categoryNow?: string
}

export function ProductFields(props: ProductFieldsProps) {
  const { form, values, onChange, lowestRating, picture, underName, underPrice, categoryNow } = props
  const t = useT()
  const set = <F extends ProductField>(field: F, value: ProductValues[F]) =>
    onChange({ ...values, [field]: value })
  const wiring = (field: Exclude<ProductField, 'tags' | 'aliases' | 'tagsNe'>) => ({
    ...form.field(field),
    label: t(FIELD_NAMES[field]),
    value: values[field],
    onChange: ({ target }: { target: { value: string } }) => set(field, target.value),
  })
  const tags = (field: 'tags' | 'aliases' | 'tagsNe', hint: MessageId) => (
    <TagsField
      id={form.field(field).id}
      label={t(FIELD_NAMES[field])}
      hint={t(hint)}
      error={form.error(field)}
      tags={values[field]}
      onChange={(value) => set(field, value)}
    />
  )
  return (
    <>
      {picture}
      <div>
        <TextField {...wiring('name')} mark="required" required maxLength={120} autoComplete="off" />
        {underName}
      </div>
      <LongField {...wiring('description')} {...LONG} mark="required" required />
      <CategoryField {...wiring('category')} now={categoryNow} />
      <div className="field-row product-numbers">
        <NumberField {...wiring('price')} mark="required" required min={0} step={0.01} />
        <NumberField {...wiring('stock')} mark="optional" min={0} step={1} />
        <NumberField
          {...wiring('rating')}
          mark="optional"
          hint={t(lowestRating === 1 ? 'seller.products.ratingHint' : 'seller.products.ratingHintEdit')}
          min={lowestRating}
          max={5}
          step={0.1}
        />
        <NumberField {...wiring('reviews')} mark="optional" min={0} step={1} />
      </div>
      {underPrice}
      {tags('tags', 'seller.products.tagsHint')}
      <OptionalFields
        title={
          <>
            {t('seller.products.moreFields')}{' '}
            <span className="field-mark">{t('seller.products.moreText')}</span>
          </>
        }
        problemInside={OPTIONAL_FIELDS.some((field) => form.error(field))}
      >
        <TextField {...wiring('nameNe')} mark="optional" lang="ne" maxLength={120} autoComplete="off" />
        <LongField {...wiring('descriptionNe')} {...LONG} mark="optional" lang="ne" />
        {tags('aliases', 'seller.products.aliasesHint')}
        {tags('tagsNe', 'seller.products.tagsHint')}
        <div className="field-row product-numbers">
          <NumberField {...wiring('unitAmount')} mark="optional" min={0} step="any" />
          <SelectField {...wiring('unitMeasure')} mark="optional">
            <option value="">{t('seller.products.measure.none')}</option>
            {/* A value of the product that the form does not offer stays until another one is chosen. */}
            {values.unitMeasure && !MEASURES.some((each) => each === values.unitMeasure) ? (
              <option value={values.unitMeasure}>{values.unitMeasure}</option>
            ) : null}
            {MEASURES.map((measure) => (
              <option key={measure} value={measure}>
                {t(`seller.products.measure.${measure}`)}
              </option>
            ))}
          </SelectField>
        </div>
        <TextField
          {...wiring('unitLabel')}
          mark="optional"
          hint={t('seller.products.unitLabelHint')}
          maxLength={40}
          autoComplete="off"
        />
        <TextField {...wiring('unitLabelNe')} mark="optional" lang="ne" maxLength={40} autoComplete="off" />
        <SelectField {...wiring('soldByWeight')} hint={t('seller.products.soldByWeightHint')}>
          <option value="">{t('seller.products.soldByWeight.no')}</option>
          <option value="yes">{t('seller.products.soldByWeight.yes')}</option>
        </SelectField>
        <SelectField {...wiring('taxClass')}>
          <option value="standard">{t('seller.products.tax.standard')}</option>
          <option value="exempt">{t('seller.products.tax.exempt')}</option>
        </SelectField>
        <TextField
          {...wiring('barcode')}
          ref={latinDigitsRef}
          mark="optional"
          hint={t('seller.products.barcodeHint')}
          inputMode="numeric"
          maxLength={20}
          autoComplete="off"
        />
      </OptionalFields>
    </>
  )
}

type InputProps = Parameters<typeof TextField>[0]

/** A number field whose value never changes with the mouse wheel. */
function NumberField(props: InputProps) {
  return (
    <TextField
      ref={latinDigitsRef}
      type="number"
      inputMode="decimal"
      autoComplete="off"
      onWheel={(event) => event.currentTarget.blur()}
      {...props}
    />
  )
}

/** Selects a category. While the list is missing it says why, and the chosen category stays. */
function CategoryField({ now, ...field }: Parameters<typeof SelectField>[0] & { now?: string | undefined }) {
  const t = useT()
  const lang = useLang()
  const { data: categories, isError, isFetching, refetch } = useQuery(sellerCategories())
  const chosen = String(field.value)
  const waiting = !categories && (!isError || isFetching)
  return (
    <div>
      <SelectField {...field} mark="required" required disabled={!categories && !chosen}>
        <option value="">
          {t(waiting ? 'seller.products.categoriesLoading' : 'seller.products.chooseCategory')}
        </option>
        {chosen && !categories?.some(({ name }) => name === chosen) ? (
          <option value={chosen} lang={scriptLang(now ?? chosen, lang)}>
            {now ?? chosen}
          </option>
        ) : null}
        {categories?.map((category) => (
          <option
            key={category.slug}
            value={category.name}
            lang={scriptLang(localText(category, 'name', lang), lang)}
          >
            {localText(category, 'name', lang)}
          </option>
        ))}
      </SelectField>
      {isError && !categories ? (
        <p className="field-retry" role="alert">
          {t('seller.products.categoriesFailed')}{' '}
          <button
            type="button"
            className="button button-plain"
            aria-busy={isFetching}
            onClick={() => void refetch()}
          >
            {t('retry')}
          </button>
        </p>
      ) : null}
    </div>
  )
}
