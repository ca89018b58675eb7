import { useNavigate } from '@tanstack/react-router'
import { type ComponentType, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Product } from '@/features/catalogue/api'
import type { Suggestion } from '@/features/catalogue/suggestions'
import { loadWithMessages, useT } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { CloseIcon, SearchIcon } from '@/ui/icons'
import { lazyWithRetry } from '@/ui/lazy-with-retry'

/** The list loads with the first focus; without it the box still searches. */
const loadList = () => loadWithMessages('app/search-suggestions', () => import('@/app/search-suggestions'))
const SearchSuggestions = lazyWithRetry(async () => (await loadList()).SearchSuggestions)

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
  /** The key of a suggestion: a late answer of the server may change the places. */
  const [chosen, setChosen] = useState<string>()
  const [isAddChosen, setAddChosen] = useState(false)
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

  const place = suggestions.findIndex(({ key }) => key === chosen)
  const suggestion = shown ? suggestions[place] : undefined
  /** The id of what Enter presses. */
  const active = suggestion && `suggestion-${place}${isAddChosen && suggestion.addable ? '-add' : ''}`

  const choose = (key?: string) => {
    setChosen(key)
    setAddChosen(false)
  }
  const close = () => {
    setOpen(false)
    choose()
  }
  const searchFor = (words: string) => {
    // The results have their own box with these words; two boxes with one content would be one too many.
    leave()
    // Otherwise the keyboard of a phone hides half of the results.
    field.current?.blur()
    void navigate({ to: paths.products, search: { search: words } })
    loadList().then(
      ({ rememberSearch }) => rememberSearch(words),
      () => {},
    )
  }
  const leave = () => {
    close()
    onNavigate?.()
    setText('')
  }
  const submit = () => {
    if (active) document.getElementById(active)?.click()
    else if (text.trim()) searchFor(text.trim())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEP[event.key]
    if (step !== undefined && shown) {
      event.preventDefault()
      // The list has one more position than suggestions: the typed text itself.
      const places = suggestions.length + 1
      choose(suggestions[((place + 1 + step + places) % places) - 1]?.key)
    }
    // Without a chosen suggestion these keys belong to the text.
    if ((event.key === 'ArrowRight' && suggestion?.addable) || (event.key === 'ArrowLeft' && isAddChosen)) {
      event.preventDefault()
      setAddChosen(event.key === 'ArrowRight')
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
        aria-haspopup="grid"
        aria-expanded={shown}
        aria-controls="site-suggestions"
        aria-activedescendant={active}
        placeholder={t('search.placeholder')}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setOpen(true)
          choose()
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
        <ScanButton
          onFound={({ categorySlug, id }) => {
            onNavigate?.()
            void navigate({ to: paths.product, params: { category: categorySlug, id } })
          }}
        />
      ) : null}
      <button type="submit" className="search-submit" aria-label={t('search.submit')}>
        <SearchIcon />
      </button>
      {open ? (
        <SearchSuggestions
          typed={text}
          active={active}
          onList={setSuggestions}
          onSearch={searchFor}
          onLeave={leave}
        />
      ) : null}
    </form>
  )
}
