import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { api, unwrap } from '@/api/client'
import { cachedProducts, cacheProducts, catalogueQueries } from '@/features/catalogue/api'
import { CategoryPicture } from '@/features/catalogue/category-picture'
import { Highlight } from '@/features/catalogue/highlight'
import { PackLine, Price } from '@/features/catalogue/price'
import { ProductPicture } from '@/features/catalogue/product-picture'
import { pastSearches, type Suggestion, suggest } from '@/features/catalogue/suggestions'
import { useLang, useT } from '@/lib/i18n'
import { scriptLang } from '@/lib/local-text'
import { useDebounced } from '@/lib/use-debounced'
import { SearchIcon } from '@/ui/icons'

export { rememberSearch } from '@/features/catalogue/suggestions'

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
  chosen: number
  /** Tells the search box, which handles the keys, what is listed. */
  onList: (suggestions: Suggestion[]) => void
  onVisit: (suggestion: Suggestion) => void
}

/** The list under the search box: what was searched before while it is empty, otherwise what the text may mean. */
export function SuggestionList({ typed, chosen, onList, onVisit }: SuggestionListProps) {
  const t = useT()
  const suggestions = useSuggestions(typed)
  useEffect(() => onList(suggestions), [onList, suggestions])
  if (suggestions.length === 0) return null
  return (
    <div
      id="site-suggestions"
      className="suggestions"
      role="listbox"
      aria-label={t(typed ? 'search.suggestions' : 'search.past')}
    >
      {suggestions.map((suggestion, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the field handles the keys
        <div
          key={keyOf(suggestion)}
          id={`suggestion-${index}`}
          role="option"
          aria-selected={index === chosen}
          // A press must not blur the field, because the list would disappear before the click.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onVisit(suggestion)}
        >
          <SuggestionContent suggestion={suggestion} typed={typed} />
        </div>
      ))}
    </div>
  )
}

const keyOf = (suggestion: Suggestion) =>
  suggestion.kind === 'category'
    ? suggestion.category.slug
    : suggestion.kind === 'product'
      ? suggestion.product.id
      : suggestion.label

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
    if (!typed.trim()) return pastSearches().map((label) => ({ kind: 'search', label }))
    const categories = client.getQueryData(catalogueQueries.categories().queryKey) ?? []
    return suggest(typed, lang, cachedProducts(), categories, settled === typed.trim() ? found : [])
  }, [typed, lang, client, settled, found])
}
