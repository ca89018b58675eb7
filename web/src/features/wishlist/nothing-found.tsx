import '@/styles/wishlist.css'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { cachedProducts, catalogueQueries, type ProductFilter } from '@/features/catalogue/api'
import { CategoryTile } from '@/features/catalogue/category-tile'
import { nearWords } from '@/features/catalogue/near-words'
import { wishlistQueries } from '@/features/wishlist/api'
import { ShopProductGrid } from '@/features/wishlist/shop-product-grid'
import { useLang, useT } from '@/lib/i18n'
import { scriptLang } from '@/lib/local-text'
import { paths } from '@/lib/paths'
import { SearchIcon } from '@/ui/icons'

const SUGGESTED_CATEGORIES = 8
const RAIL = 12
/** A rail with fewer products than this looks like a mistake. */
const LEAST = 3

/** An empty list of products: why it may be empty, and ways on. */
export function NothingFound({ filter }: { filter: ProductFilter }) {
  const t = useT()
  const { search, category, sort, minPrice, maxPrice, inStock } = filter
  const limited = Boolean(minPrice || maxPrice || inStock)
  const unlimited = {
    ...(search ? { search } : {}),
    ...(category ? { category } : {}),
    ...(sort ? { sort } : {}),
  }
  return (
    <>
      <div className="state-panel nothing-found">
        <span className="state-icon">
          <SearchIcon size={36} />
        </span>
        <h2 className="state-title">
          {search ? t('products.noMatch', { text: search }) : t('products.noneInFilter')}
        </h2>
        <p className="muted">
          {t(limited ? 'nothing.filtersHint' : search ? 'nothing.hint' : 'nothing.emptyHint')}
        </p>
        {search && !limited ? <OtherSpellings text={search} /> : null}
        <div className="nothing-ways">
          {limited ? (
            <Link className="button button-primary" to={paths.products} search={unlimited} replace>
              {t('nothing.clearFilters')}
            </Link>
          ) : null}
          {search && category && !limited ? (
            <Link className="button button-outline" to={paths.products} search={{ search }} replace>
              {t('nothing.everywhere')}
            </Link>
          ) : null}
          <Link
            className={`button ${limited ? 'button-outline' : 'button-primary'}`}
            to={paths.products}
            replace
          >
            {t(search ? 'products.clear' : 'products.showAll')}
          </Link>
        </div>
      </div>
      <Categories />
      <Popular />
    </>
  )
}

/** Words of the shop that look like those that were searched for. */
function OtherSpellings({ text }: { text: string }) {
  const t = useT()
  const lang = useLang()
  const { data: categories = [] } = useQuery(catalogueQueries.categories())
  const names = [...categories, ...cachedProducts()].flatMap(({ name, nameNe }) => [name, nameNe ?? ''])
  const words = nearWords(text, names)
  if (words.length === 0) return null
  return (
    <p className="nothing-spellings">
      {t('nothing.spellings')}{' '}
      {words.map((word) => (
        <Link
          key={word}
          className="chip"
          to={paths.products}
          search={{ search: word }}
          lang={scriptLang(word, lang)}
          translate="no"
        >
          {word}
        </Link>
      ))}
    </p>
  )
}

function Categories() {
  const t = useT()
  const id = useId()
  const { data: categories = [] } = useQuery(catalogueQueries.categories())
  const filled = categories.filter(({ totalproducts }) => totalproducts > 0).slice(0, SUGGESTED_CATEGORIES)
  if (filled.length === 0) return null
  return (
    <section className="section" aria-labelledby={id}>
      <h2 id={id}>{t('products.tryCategory')}</h2>
      <ul className="tiles">
        {filled.map((category) => (
          <li key={category.slug}>
            <CategoryTile category={category} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What others buy; a shop that has sold little shows its first products instead. */
function Popular() {
  const t = useT()
  const id = useId()
  const popular = useQuery(wishlistQueries.popular)
  const isKnown = (popular.data?.length ?? 0) >= LEAST
  const first = useInfiniteQuery({
    ...catalogueQueries.products({}),
    enabled: !popular.isPending && !isKnown,
  })
  const products = isKnown ? popular.data : first.data?.pages[0]?.data
  if (!products || products.length === 0) return null
  return (
    <section className="section" aria-labelledby={id}>
      <h2 id={id}>{t(isKnown ? 'rails.popular' : 'home.featured')}</h2>
      <ShopProductGrid products={products.slice(0, RAIL)} variant="rail" />
    </section>
  )
}
