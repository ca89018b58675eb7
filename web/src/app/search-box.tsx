import { useNavigate } from '@tanstack/react-router'
import { type ComponentType, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Product } from '@/features/catalogue/api'
import type { Suggestion } from '@/features/catalogue/suggestions'
import { loadWithMessages, useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { CloseIcon, SearchIcon } from '@/ui/icons'
import { lazyWithRetry } from '@/ui/lazy-with-retry'

/** The list loads with the first focus; without it the box still searches. */
const loadList = () =>
  loadWithMessages('features/catalogue/suggestion-list', () => import('@/features/catalogue/suggestion-list'))
const SuggestionList = lazyWithRetry(async () => (await loadList()).SuggestionList)

/** Only where the browser may read barcodes; a failure leaves the box without it. */
const loadScanButton = () =>
  loadWithMessages('features/catalogue/scan-button', () => import('@/features/catalogue/scan-button'))

const STEP: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

/**
 * The shop's search box: a combobox that only suggests. Enter without a chosen suggestion searches for the typed text.
 */
export function SearchBox({ onNavigate }: { onNavigate?: () => void }) {
  const t = useT()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [open, setOpen] = useState(false)
  const [chosen, setChosen] = useState(-1)
  const field = useRef<HTMLInputElement>(null)
  const [suggestions, setSuggestions] = useState<Suggestion[]>([])
  const shown = open && suggestions.length > 0
  const [ScanButton, setScanButton] = useState<ComponentType<{ onFound: (product: Product) => void }>>()
  useEffect(() => {
    if ('BarcodeDetector' in window)
      loadScanButton().then(
        (part) => setScanButton(() => part.ScanButton),
        () => {},
      )
  }, [])

  const close = () => {
    setOpen(false)
    setChosen(-1)
  }
  const searchFor = (words: string) => {
    close()
    onNavigate?.()
    // Otherwise the keyboard of a phone hides half of the results.
    field.current?.blur()
    // The results have their own box with these words; two boxes with one content would be one too many.
    setText('')
    void navigate({ to: paths.products, search: { search: words } })
    loadList().then(
      ({ rememberSearch }) => rememberSearch(words),
      () => {},
    )
  }
  const visit = (suggestion: Suggestion) => {
    if (suggestion.kind === 'search') return searchFor(suggestion.label)
    close()
    onNavigate?.()
    setText('')
    if (suggestion.kind === 'category') {
      void navigate({ to: paths.category, params: { category: suggestion.category.slug } })
    } else showProduct(suggestion.product)
  }
  const showProduct = ({ categorySlug, id }: Product) => {
    onNavigate?.()
    void navigate({ to: paths.product, params: { category: categorySlug, id } })
  }
  const submit = () => {
    const suggestion = shown ? suggestions[chosen] : undefined
    if (suggestion) return visit(suggestion)
    const words = text.trim()
    return words ? searchFor(words) : undefined
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
        onFocus={() => setOpen(true)}
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
      ) : ScanButton ? (
        <ScanButton onFound={showProduct} />
      ) : null}
      <button type="submit" className="search-submit" aria-label={t('search.submit')}>
        <SearchIcon />
      </button>
      {open ? <SuggestionList typed={text} chosen={chosen} onList={setSuggestions} onVisit={visit} /> : null}
    </form>
  )
}
