import { useNavigate } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { addMany, isFull } from '@/features/cart/add-to-cart'
import { useCart } from '@/features/cart/cart-store'
import type { Product } from '@/features/catalogue/api'
import { SuggestionList } from '@/features/catalogue/suggestion-list'
import type { Suggestion } from '@/features/catalogue/suggestions'
import { paths } from '@/lib/paths'

export { rememberSearch } from '@/features/catalogue/suggestions'

type SearchSuggestionsProps = Pick<ComponentProps<typeof SuggestionList>, 'typed' | 'active' | 'onList'> & {
  onSearch: (words: string) => void
  onLeave: () => void
}

/** The suggestions of the search box, with what the catalogue does not know: pages and the cart. */
export function SearchSuggestions({ onSearch, onLeave, ...props }: SearchSuggestionsProps) {
  const navigate = useNavigate()
  const quantities = useCart()
  const cannotAdd = (product: Product) => isFull(product, quantities[product.id] ?? 0)
  const visit = (suggestion: Suggestion) => {
    if (suggestion.kind === 'search') return onSearch(suggestion.label)
    onLeave()
    if (suggestion.kind === 'category')
      return void navigate({ to: paths.category, params: { category: suggestion.category.slug } })
    const { categorySlug, id } = suggestion.product
    void navigate({ to: paths.product, params: { category: categorySlug, id } })
  }
  return (
    <SuggestionList
      {...props}
      quantities={quantities}
      isFull={cannotAdd}
      onVisit={visit}
      onAdd={(product) => {
        if (!cannotAdd(product)) addMany(product, 1)
      }}
    />
  )
}
