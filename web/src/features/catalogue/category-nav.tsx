import { type ReactNode, useEffect, useRef } from 'react'
import type { Category } from '@/features/catalogue/api'
import { CategoryPicture } from '@/features/catalogue/category-picture'
import { useLang, useT } from '@/lib/i18n'
import { localText, scriptLang } from '@/lib/local-text'
import { formatNumber } from '@/lib/money'

type CategoryNavProps = {
  categories: Category[]
  /** The slug of the current category. */
  current: string | undefined
  /** A link with this content; without a category it leads to all products. */
  link: (category: Category | undefined, content: ReactNode) => ReactNode
  /** Whether there is a link to all products. */
  all?: boolean
}

/** The categories beside a list: one row that scrolls, and from 1024 px a column at the left. */
export function CategoryNav({ categories, current, link, all = false }: CategoryNavProps) {
  const t = useT()
  const lang = useLang()
  const row = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another category is current, or there are categories now
  useEffect(() => {
    const chip = row.current?.querySelector<HTMLElement>('[aria-current]')
    if (!row.current || !chip) return
    row.current.scrollLeft = chip.offsetLeft - (row.current.clientWidth - chip.clientWidth) / 2
  }, [current, categories.length])
  return (
    <nav ref={row} className="chips" aria-label={t('products.categoryFilter')}>
      <ul>
        {all ? (
          <li>{link(undefined, <span className="chip-name">{t('products.allCategories')}</span>)}</li>
        ) : null}
        {categories.map((category) => {
          const name = localText(category, 'name', lang)
          return (
            <li key={category.slug}>
              {link(
                category,
                <>
                  <CategoryPicture category={category} sizes="32px" alt="" />
                  <span className="chip-name" lang={scriptLang(name, lang)}>
                    {name}
                  </span>
                  <span className="chip-count" aria-hidden="true">
                    {formatNumber(category.totalproducts, lang)}
                  </span>
                </>,
              )}
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
