import { useT } from '@/lib/i18n'

const COLUMNS =
  'slug, name, name_ne, category, description, description_ne, price, stock, stock_was, rating, reviews, tags, tags_ne, aliases, unit_amount, unit_measure, unit_label, unit_label_ne, tax_class, barcode, sold_by_weight, image, more_images, version'

const EXAMPLE = `slug,name,category,price,stock,tags
mustard-oil-1-l,Mustard Oil 1 L,Oil & Ghee,335,40,staple | local
,Ilam Tea 200 g,Tea & Coffee,180,25,`

const HINTS = ['header', 'slug', 'stock', 'version', 'lists', 'images'] as const

export function ImportHelp() {
  const t = useT()
  return (
    <details className="optional-fields import-help">
      <summary>{t('seller.imports.help.title')}</summary>
      <ul>
        {HINTS.map((hint) => (
          <li key={hint}>{t(`seller.imports.help.${hint}`)}</li>
        ))}
      </ul>
      <p>
        <strong>{t('seller.imports.help.all')}:</strong>{' '}
        <code translate="no" lang="en">
          {COLUMNS}
        </code>
      </p>
      <p>
        <strong>{t('seller.imports.help.example')}:</strong>
      </p>
      {/* Wide lines scroll instead of wrapping; a focus stop allows that without a mouse. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <pre translate="no" lang="en" tabIndex={0}>
        {EXAMPLE}
      </pre>
    </details>
  )
}
