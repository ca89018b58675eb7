import { ApiError, isServerError } from '@/api/client'
import type { SellerCategory } from '@/features/catalogue/seller/categories-api'
import { apiErrorText } from '@/features/catalogue/seller/error-text'
import { type ConflictChoice, mergeEdits } from '@/features/catalogue/seller/merge-edits'
import { pictureProblem } from '@/features/media/picture-problem'
import type { MessageId, RawText } from '@/lib/i18n'

export type CategoryValues = { name: string; description: string; nameNe: string; descriptionNe: string }
export type CategoryField = keyof CategoryValues
export type CategoryErrors = { [F in CategoryField | 'image' | 'icon']?: MessageId | RawText | undefined }
export type CategoryPictures = { image: File | null; icon: File | null }

export const EMPTY_CATEGORY: CategoryValues = { name: '', description: '', nameNe: '', descriptionNe: '' }
const FIELDS = Object.keys(EMPTY_CATEGORY) as CategoryField[]

export const categoryValues = (category: SellerCategory): CategoryValues => ({
  name: category.name,
  description: category.description,
  nameNe: category.nameNe ?? '',
  descriptionNe: category.descriptionNe ?? '',
})

export const changedTexts = (before: CategoryValues, after: CategoryValues) =>
  FIELDS.filter((field) => before[field].trim() !== after[field].trim())

/** Checks the files again before the upload, although they were checked when they were chosen. */
export function checkCategory(
  values: CategoryValues,
  pictures: CategoryPictures,
  /** The values before the edit; null for a new category. */
  before: CategoryValues | null,
): CategoryErrors {
  const errors: CategoryErrors = {}
  for (const name of ['image', 'icon'] as const) {
    const file = pictures[name]
    const problem = file && pictureProblem(file)
    if (problem) errors[name] = `seller.categories.err.${problem}`
    else if (!file && !before) errors[name] = `seller.categories.err.${name}`
  }
  // An edit may leave a field empty that was empty before; a field that was emptied is an error.
  const missing = (field: 'name' | 'description') => !values[field].trim() && before?.[field] !== ''
  if (missing('name')) errors.name = 'seller.categories.err.name'
  if (missing('description')) errors.description = 'seller.categories.err.description'
  return errors
}

/** The fields of a new category; Nepali texts are sent only if they are filled in. */
export const textsToAdd = (values: CategoryValues): Record<string, string> => ({
  name: values.name.trim(),
  description: values.description.trim(),
  ...(values.nameNe.trim() ? { nameNe: values.nameNe.trim() } : {}),
  ...(values.descriptionNe.trim() ? { descriptionNe: values.descriptionNe.trim() } : {}),
})

/** Sends only changed fields: on edit every field is optional. */
export function textsToUpdate(category: SellerCategory, values: CategoryValues): Record<string, string> {
  const changed = changedTexts(categoryValues(category), values)
  const texts = Object.fromEntries(changed.map((field) => [field, values[field].trim()]))
  return { ...texts, version: category.version }
}

export const mergeTexts = (
  opened: SellerCategory,
  mine: CategoryValues,
  fresh: SellerCategory,
  choice: ConflictChoice,
): CategoryValues => mergeEdits(changedTexts, categoryValues(opened), mine, categoryValues(fresh), choice)

/** The texts for a failed change, for the toast and for the form itself. */
export function categoryErrorText(
  error: unknown,
  failed: MessageId,
): { toast: MessageId | RawText; inline: MessageId | RawText } {
  if (!(error instanceof ApiError)) {
    return isServerError(error)
      ? { toast: 'session.500', inline: 'session.500' }
      : { toast: 'seller.categories.unexpectedError', inline: 'session.unreachable' }
  }
  if (error.status === 401) {
    const text = apiErrorText(error, 'seller.categories.unauthorized')
    return { toast: text, inline: text }
  }
  const inline =
    error.code === 'category_name_taken' ? 'seller.categories.err.taken' : apiErrorText(error, failed)
  return { toast: failed, inline }
}
