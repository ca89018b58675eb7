import { useId, useRef } from 'react'
import { useT } from '@/lib/i18n'
import { CloseIcon, SearchIcon } from '@/ui/icons'

type SearchFieldProps = { label: string; hint: string; text: string; onChange: (text: string) => void }

/** Searches while the user types; Escape and the clear button empty it. */
export function SearchField({ label, hint, text, onChange }: SearchFieldProps) {
  const t = useT()
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  return (
    <search className="search-field">
      <label className="sr-only" htmlFor={id}>
        {label}
      </label>
      <SearchIcon />
      <input
        ref={field}
        id={id}
        className="input"
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        placeholder={hint}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !text) return
          event.preventDefault()
          onChange('')
        }}
      />
      {text ? (
        <button
          type="button"
          className="icon-button"
          aria-label={t('search.clear')}
          onClick={() => {
            onChange('')
            field.current?.focus()
          }}
        >
          <CloseIcon />
        </button>
      ) : null}
    </search>
  )
}
