import type { Lang } from '@/lib/first-data'

/** Picks the Nepali text of a thing in Nepali mode, when the seller wrote one. */
export function localText<K extends string>(
  thing: { [P in K | `${K}Ne`]?: string | null | undefined },
  field: K,
  lang: Lang,
): string {
  const nepali = thing[`${field}Ne`]
  return (lang === 'ne' && nepali) || thing[field] || ''
}

/** Tells fonts and screen readers which script a seller's text is in, when it is not the interface's own. */
export function scriptLang(text: string, lang: Lang): Lang | undefined {
  const script: Lang = /[\u0900-\u097f]/.test(text) ? 'ne' : 'en'
  return script === lang ? undefined : script
}
