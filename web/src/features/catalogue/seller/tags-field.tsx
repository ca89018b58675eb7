import { useRef, useState } from 'react'
import { useLang, useT } from '@/lib/i18n'
import { scriptLang } from '@/lib/local-text'
import { Field } from '@/ui/field'
import { CloseIcon } from '@/ui/icons'

/** Splits at commas, including those of Nepali and Chinese keyboards, and removes duplicates. */
export function splitTags(text: string, before: string[] = []): string[] {
  const all = [...before]
  for (const each of text.split(/[,،、，\n]/)) {
    const tag = each.trim()
    if (tag && !all.some((one) => one.toLowerCase() === tag.toLowerCase())) all.push(tag)
  }
  return all
}

/** Long enough to paste several tags at once. */
const MOST_TYPED = 500

type TagsFieldProps = {
  id: string
  label: string
  hint: string
  error?: string | undefined
  tags: string[]
  onChange: (tags: string[]) => void
}

/** Tags as removable badges, and a field that adds more: with commas, Enter, or by leaving it. */
export function TagsField({ id, label, hint, error, tags, onChange }: TagsFieldProps) {
  const t = useT()
  const lang = useLang()
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const take = (typed: string) => {
    onChange(splitTags(typed, tags))
    setText('')
  }
  return (
    <Field id={id} label={label} hint={hint} error={error} mark="optional">
      {(wiring) => (
        <>
          {tags.length > 0 ? (
            <ul className="tag-list">
              {tags.map((tag) => (
                <li key={tag} className="tag">
                  <span lang={scriptLang(tag, lang)}>{tag}</span>
                  <button
                    type="button"
                    aria-label={t('seller.products.removeTag', { tag })}
                    onClick={() => {
                      onChange(tags.filter((each) => each !== tag))
                      field.current?.focus()
                    }}
                  >
                    <CloseIcon size={16} />
                  </button>
                </li>
              ))}
            </ul>
          ) : null}
          <input
            ref={field}
            className="input"
            autoComplete="off"
            maxLength={MOST_TYPED}
            value={text}
            onChange={({ target }) =>
              /[,،、，]/.test(target.value) ? take(target.value) : setText(target.value)
            }
            onBlur={() => text.trim() && take(text)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') {
                // Enter adds a tag here and must not submit the form.
                event.preventDefault()
                if (text.trim()) take(text)
              } else if (event.key === 'Backspace' && !text && tags.length > 0) {
                onChange(tags.slice(0, -1))
              }
            }}
            {...wiring}
          />
        </>
      )}
    </Field>
  )
}
