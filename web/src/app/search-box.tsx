import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { cachedProducts, catalogueQueries } from '@/features/catalogue/api'
import { type Suggestion, suggest } from '@/features/catalogue/suggestions'
import { useLang, useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { CloseIcon, SearchIcon } from '@/ui/icons'

const STEP: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

/**
 * The shop's search box: a combobox that only suggests. Enter without a chosen suggestion searches for the typed text.
 */
export function SearchBox({ onNavigate }: { onNavigate?: () => void }) {
  const t = useT()
  const navigate = useNavigate()
  const { search = '' } = useSearch({ strict: false })
  const [text, setText] = useState(search)
  const [open, setOpen] = useState(false)
  const [chosen, setChosen] = useState(-1)
  const field = useRef<HTMLInputElement>(null)
  const suggestions = useSuggestions(open ? text : '')
  const shown = suggestions.length > 0

  // The filter on /products changes the same address, so both boxes show the same text.
  useEffect(() => setText(search), [search])

  const close = () => {
    setOpen(false)
    setChosen(-1)
  }
  const visit = (suggestion: Suggestion) => {
    close()
    onNavigate?.()
    setText('')
    if (suggestion.kind === 'category') {
      void navigate({ to: paths.category, params: { category: suggestion.category.slug } })
    } else {
      const { categorySlug, id } = suggestion.product
      void navigate({ to: paths.product, params: { category: categorySlug, id } })
    }
  }
  const submit = () => {
    const suggestion = suggestions[chosen]
    if (suggestion) return visit(suggestion)
    const words = text.trim()
    if (!words) return undefined
    close()
    onNavigate?.()
    return void navigate({ to: paths.products, search: { search: words } })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEP[event.key]
    if (step !== undefined && shown) {
      event.preventDefault()
      // The list has one more position than suggestions: the typed text itself.
      const places = suggestions.length + 1
      setChosen((current) => ((current + 1 + step + places) % places) - 1)
    }
    if (event.key === 'Escape' && (shown || text)) {
      event.preventDefault()
      if (shown) close()
      else setText('')
    }
  }

  return (
    <form
      className="search"
      role="search"
      action={paths.products}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <label className="sr-only" htmlFor="site-search">
        {t('search.label')}
      </label>
      <input
        ref={field}
        id="site-search"
        name="search"
        type="text"
        role="combobox"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={shown}
        aria-controls="site-suggestions"
        aria-activedescendant={chosen >= 0 && shown ? `suggestion-${chosen}` : undefined}
        placeholder={t('search.placeholder')}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setOpen(true)
          setChosen(-1)
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      {text ? (
        <button
          type="button"
          className="search-clear"
          aria-label={t('search.clear')}
          onClick={() => {
            setText('')
            field.current?.focus()
          }}
        >
          <CloseIcon />
        </button>
      ) : null}
      <button type="submit" className="search-submit" aria-label={t('search.submit')}>
        <SearchIcon />
      </button>
      {shown ? (
        <div
          id="site-suggestions"
          className="suggestions"
          role="listbox"
          aria-label={t('search.suggestions')}
        >
          {suggestions.map((suggestion, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the field handles the keys
            <div
              key={suggestion.kind === 'category' ? suggestion.category.slug : suggestion.product.id}
              id={`suggestion-${index}`}
              role="option"
              aria-selected={index === chosen}
              // A press must not blur the field, because the list would disappear before the click.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => visit(suggestion)}
            >
              <span>{suggestion.label}</span>
              {suggestion.kind === 'category' ? <span className="meta">{t('search.inCategory')}</span> : null}
            </div>
          ))}
        </div>
      ) : null}
    </form>
  )
}

function useSuggestions(typed: string): Suggestion[] {
  const lang = useLang()
  const client = useQueryClient()
  if (!typed) return []
  const categories = client.getQueryData(catalogueQueries.categories().queryKey) ?? []
  return suggest(typed, lang, cachedProducts(), categories)
}
