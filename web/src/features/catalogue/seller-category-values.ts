import { isServerError, Refusal } from '@/api/client'
import type { SellerCategory } from '@/features/catalogue/seller-categories-api'
import { refusedText } from '@/features/catalogue/seller-failure'
import { merge, type Whose } from '@/features/catalogue/seller-merge'
import { pictureProblem } from '@/features/media/picture-problem'
import type { MessageId, RawText } from '@/lib/i18n'

export type CategoryValues = { name: string; description: string; nameNe: string; descriptionNe: string }
export type CategoryField = keyof CategoryValues
export type CategoryErrors = { [F in CategoryField | 'image' | 'icon']?: MessageId | RawText | undefined }
export type CategoryPictures = { image: File | null; icon: File | null }

export const NO_CATEGORY: CategoryValues = { name: '', description: '', nameNe: '', descriptionNe: '' }
const FIELDS = Object.keys(NO_CATEGORY) as CategoryField[]

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
    if (problem) errors[name] = `scat.err.${problem}`
    else if (!file && !before) errors[name] = `scat.err.${name}`
  }
  // On edit a field may stay as it is, even empty; one that was emptied is told, not silently restored.
  const missing = (field: 'name' | 'description') => !values[field].trim() && before?.[field] !== ''
  if (missing('name')) errors.name = 'scat.err.name'
  if (missing('description')) errors.description = 'scat.err.desc'
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
  whose: Whose,
): CategoryValues => merge(changedTexts, categoryValues(opened), mine, categoryValues(fresh), whose)

/** What the toast says of a change that did not work, and what stands where it happened. */
export function categoryFailure(
  error: unknown,
  failed: MessageId,
): { toast: MessageId | RawText; inline: MessageId | RawText } {
  if (!(error instanceof Refusal)) {
    return isServerError(error)
      ? { toast: 'session.500', inline: 'session.500' }
      : { toast: 'scat.other', inline: 'session.unreachable' }
  }
  if (error.status === 401) {
    const text = refusedText(error, 'scat.401')
    return { toast: text, inline: text }
  }
  const inline = error.code === 'category_name_taken' ? 'scat.err.taken' : refusedText(error, failed)
  return { toast: failed, inline }
}
