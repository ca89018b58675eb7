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

/** Files are looked at when they are chosen and here again: nothing else stands between them and the upload. */
export function checkCategory(
  values: CategoryValues,
  pictures: CategoryPictures,
  /** As it was; null for a new category. */
  before: CategoryValues | null,
): CategoryErrors {
  const errors: CategoryErrors = {}
  for (const name of ['image', 'icon'] as const) {
    const file = pictures[name]
    const problem = file && pictureProblem(file)
    if (problem) errors[name] = `seller.categories.err.${problem}`
    else if (!file && !before) errors[name] = `seller.categories.err.${name}`
  }
  // On edit a field may stay as it is, even empty; one that was emptied is told, not silently restored.
  const missing = (field: 'name' | 'description') => !values[field].trim() && before?.[field] !== ''
  if (missing('name')) errors.name = 'seller.categories.err.name'
  if (missing('description')) errors.description = 'seller.categories.err.description'
  return errors
}

/** What is sent of a new category: the Nepali texts only where there are any. */
export const textsToAdd = (values: CategoryValues): Record<string, string> => ({
  name: values.name.trim(),
  description: values.description.trim(),
  ...(values.nameNe.trim() ? { nameNe: values.nameNe.trim() } : {}),
  ...(values.descriptionNe.trim() ? { descriptionNe: values.descriptionNe.trim() } : {}),
})

/** Only what was changed: on edit every field may be left as it is. */
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

/** What the toast says of a change that did not work, and what stands where it happened. */
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
