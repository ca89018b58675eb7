import { Link } from '@tanstack/react-router'
import type { Category } from '@/features/catalogue/api'
import { CategoryIcon, CategoryPicture } from '@/features/catalogue/category-picture'
import { useLang, useT } from '@/lib/i18n'
import { localText, scriptLang } from '@/lib/local-text'
import { formatNumber } from '@/lib/money'
import { paths } from '@/lib/paths'

export function CategoryCard({ category, eager }: { category: Category; eager: boolean }) {
  const t = useT()
  const lang = useLang()
  const name = localText(category, 'name', lang)
  const text = localText(category, 'description', lang) || t('categories.noDescription')
  return (
    <article className="category-card" data-empty={category.totalproducts === 0}>
      <CategoryPicture category={category} sizes="(max-width: 479px) 80px, 120px" alt={name} eager={eager} />
      <div className="category-body">
        <div className="category-title">
          <CategoryIcon icon={category.icon} />
          <h2 className="category-name" lang={scriptLang(name, lang)}>
            {name}
          </h2>
        </div>
        <p className="category-text" lang={scriptLang(text, lang)}>
          {text}
        </p>
        <p className="meta">
          {t('categories.total')}: {formatNumber(category.totalproducts, lang)}
        </p>
        <Link
          className="button button-outline category-go"
          to={paths.category}
          params={{ category: category.slug }}
          aria-label={`${t('categories.explore')}: ${name}`}
        >
          {t('categories.explore')}
        </Link>
      </div>
    </article>
  )
}
