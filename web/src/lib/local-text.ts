import type { Lang } from '@/lib/first-data'

/** Returns the Nepali text in Nepali mode if the seller wrote one. */
export function localText<K extends string>(
  thing: { [P in K | `${K}Ne`]?: string | null | undefined },
  field: K,
  lang: Lang,
): string {
  const nepali = thing[`${field}Ne`]
  return (lang === 'ne' && nepali) || thing[field] || ''
}

/**
 * The `lang` attribute for a seller's text whose script differs from the interface language, for fonts and screen
 * readers.
 */
export function scriptLang(text: string, lang: Lang): Lang | undefined {
  const script: Lang = /[\u0900-\u097f]/.test(text) ? 'ne' : 'en'
  return script === lang ? undefined : script
}
