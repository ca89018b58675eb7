import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { catalogueQueries } from '@/features/catalogue/api'
import { CategoryCard } from '@/features/catalogue/category-card'
import { useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { Outline } from '@/ui/icons'
import { LoadState } from '@/ui/load-state'
import { usePageTitle } from '@/ui/page-title'
import { StatePanel } from '@/ui/state-panel'

const FIRST_SCREEN = 4

export function CategoriesPage() {
  const t = useT()
  usePageTitle(t('categories.title'))
  const categories = useQuery(catalogueQueries.categories())
  return (
    <div className="wrap page">
      <div className="title-block">
        <h1>{t('categories.title')}</h1>
        <p className="muted">{t('categories.intro')}</p>
      </div>
      <LoadState query={categories} problem="categories.loadProblem" skeleton={<CategoryCardSkeletons />}>
        {(loaded) =>
          loaded.length > 0 ? (
            <ul className="category-grid">
              {loaded.map((category, index) => (
                <li key={category.slug}>
                  <CategoryCard category={category} eager={index < FIRST_SCREEN} />
                </li>
              ))}
            </ul>
          ) : (
            <StatePanel
              icon={<Outline size={36} d="M4 3v18M20 3v18M4 8.5h16M4 15h16" />}
              title={t('categories.empty')}
              action={
                <Link className="button button-primary" to={paths.products}>
                  {t('cart.browse')}
                </Link>
              }
            />
          )
        }
      </LoadState>
    </div>
  )
}

function CategoryCardSkeletons() {
  return (
    <ul className="category-grid" aria-hidden="true">
      {[1, 2, 3, 4, 5, 6, 7, 8].map((card) => (
        <li key={card}>
          <div className="category-card category-card-skeleton skeleton" />
        </li>
      ))}
    </ul>
  )
}
