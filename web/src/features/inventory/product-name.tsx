import { useLang } from '@/lib/i18n'
import { localText, scriptLang } from '@/lib/local-text'

type Named = { name: string; nameNe?: string | null; pack?: string | null; packNe?: string | null }

/** The name of a product in the language of the page, for labels. */
export function useNameOf(product: Named): string {
  return localText(product, 'name', useLang())
}

/** The name of a product with its pack size. */
export function ProductName({ product }: { product: Named }) {
  const lang = useLang()
  const name = localText(product, 'name', lang)
  const pack = localText(product, 'pack', lang)
  return (
    <span className="stock-name" translate="no" lang={scriptLang(name, lang)}>
      <strong>{name}</strong>
      {pack ? <span className="muted"> {pack}</span> : null}
    </span>
  )
}
