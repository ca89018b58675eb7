import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { api, unwrap } from '@/api/client'
import { cachedProducts, cacheProducts, catalogueQueries, type Product } from '@/features/catalogue/api'
import { CategoryPicture } from '@/features/catalogue/category-picture'
import { Highlight } from '@/features/catalogue/highlight'
import { PackLine, Price } from '@/features/catalogue/price'
import { ProductPicture } from '@/features/catalogue/product-picture'
import { pastSearches, type Suggestion, suggest } from '@/features/catalogue/suggestions'
import { useLang, useT } from '@/lib/i18n'
import { scriptLang } from '@/lib/local-text'
import { formatNumber } from '@/lib/money'
import { useDebounced } from '@/lib/use-debounced'
import { PlusIcon, SearchIcon } from '@/ui/icons'

const TYPING_MS = 200
const FOUND = 6

/** What a text may mean to the server. The search box works without it, so a failure is silent. */
const findSuggested = (search: string) =>
  queryOptions({
    queryKey: ['catalogue', 'suggested', search],
    queryFn: async ({ signal }) => {
      const query = { limit: FOUND, search }
      const page = unwrap(await api.GET('/api/product/get_products', { params: { query }, signal }))
      const found = [...page.data, ...page.matches, ...page.similar].slice(0, FOUND)
      cacheProducts(found)
      return found
    },
    enabled: search.length > 1,
    retry: false,
  })

type SuggestionListProps = {
  typed: string
  /** The id of the chosen cell. */
  active: string | undefined
  /** How many pieces of each product are in the cart. */
  quantities: Record<string, number>
  /** Whether no more pieces of the product can be added. */
  isFull: (product: Product) => boolean
  /** Tells the search box, which handles the keys, what is listed. */
  onList: (suggestions: Suggestion[]) => void
  onVisit: (suggestion: Suggestion) => void
  onAdd: (product: Product) => void
}

/**
 * The list under the search box: what was searched before while it is empty, otherwise what the text may mean. It is a
 * grid, because an option of a list box cannot contain a second thing to press.
 */
export function SuggestionList(props: SuggestionListProps) {
  const { typed, active, quantities, isFull, onList, onVisit, onAdd } = props
  const t = useT()
  const lang = useLang()
  const suggestions = useSuggestions(typed)
  useEffect(() => onList(suggestions), [onList, suggestions])
  if (suggestions.length === 0) return null
  return (
    <div
      id="site-suggestions"
      className="suggestions"
      role="grid"
      aria-label={t(typed ? 'search.suggestions' : 'search.past')}
      // A press must not blur the field, because the list would disappear before the click.
      onPointerDown={(event) => event.preventDefault()}
    >
      {suggestions.map((suggestion, index) => {
        const product = suggestion.addable
        const quantity = (product && quantities[product.id]) ?? 0
        const id = `suggestion-${index}`
        const add = t('search.add', { name: suggestion.label })
        return (
          // biome-ignore lint/a11y/useFocusableInteractive: the field handles the keys
          <div key={suggestion.key} className="suggestion" role="row">
            {/* biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the field handles the keys */}
            <div
              id={id}
              className="suggestion-text"
              role="gridcell"
              aria-selected={active === id}
              onClick={() => onVisit(suggestion)}
            >
              <SuggestionContent suggestion={suggestion} typed={typed} />
            </div>
            {product ? (
              // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the field handles the keys
              <div
                id={`${id}-add`}
                className="suggestion-add"
                role="gridcell"
                aria-label={quantity ? `${add}, ${t('product.inCart', { n: quantity })}` : add}
                aria-disabled={isFull(product)}
                aria-selected={active === `${id}-add`}
                onClick={() => onAdd(product)}
              >
                {quantity ? formatNumber(quantity, lang) : <PlusIcon />}
              </div>
            ) : null}
          </div>
        )
      })}
    </div>
  )
}

function SuggestionContent({ suggestion, typed }: { suggestion: Suggestion; typed: string }) {
  const t = useT()
  const lang = useLang()
  const { kind, label } = suggestion
  return (
    <>
      {kind === 'category' ? (
        <CategoryPicture category={suggestion.category} sizes="40px" alt="" />
      ) : kind === 'product' ? (
        <ProductPicture product={suggestion.product} size="line" decorative />
      ) : (
        <SearchIcon />
      )}
      <span
        className="suggestion-name"
        lang={scriptLang(label, lang)}
        translate={kind === 'search' ? 'no' : undefined}
      >
        <Highlight text={label} match={typed} />
        {kind === 'product' ? <PackLine product={suggestion.product} short /> : null}
      </span>
      {kind === 'category' ? <span className="meta">{t('search.inCategory')}</span> : null}
      {kind === 'product' ? <Price rupees={suggestion.product.price} /> : null}
    </>
  )
}

function useSuggestions(typed: string): Suggestion[] {
  const lang = useLang()
  const client = useQueryClient()
  const settled = useDebounced(typed.trim(), TYPING_MS)
  const { data: found } = useQuery(findSuggested(settled))
  return useMemo(() => {
    if (!typed.trim()) return pastSearches().map((label) => ({ kind: 'search', key: label, label }))
    const categories = client.getQueryData(catalogueQueries.categories().queryKey) ?? []
    return suggest(typed, lang, cachedProducts(), categories, settled === typed.trim() ? found : [])
  }, [typed, lang, client, settled, found])
}
