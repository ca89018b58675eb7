import { useEffect, useRef } from 'react'
import { t as text, useLang, useT } from '@/lib/i18n'
import { scriptLang } from '@/lib/local-text'

export type Difference = { field: string; name: string; before: string; after: string; mine: boolean }

/** A text for a picture that was replaced, removed or added, because the picture itself does not fit into a line. */
export function pictureDifference(
  field: string,
  name: string,
  before: string | null | undefined,
  after: string | null | undefined,
  mine: boolean,
): Difference[] {
  if ((before || '') === (after || '')) return []
  const one = text('seller.products.conflict.aPicture')
  const another = before ? text('seller.products.conflict.picture') : one
  return [{ field, name, before: before ? one : '', after: after ? another : '', mine }]
}

type ConflictProps = {
  title: string
  differences: Difference[]
  busy: boolean
  onTheirs: () => void
  onMine: () => void
}

/** Shows what another seller changed at the same time, and lets the seller choose whose changes to keep. */
export function Conflict({ title, differences, busy, onTheirs, onMine }: ConflictProps) {
  const t = useT()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <div ref={box} className="conflict" role="alert" tabIndex={-1} data-testid="conflict">
      <p className="conflict-title">{title}</p>
      {differences.length > 0 ? (
        <ul>
          {differences.map(({ field, name, before, after, mine }) => (
            <li key={field}>
              <strong>{name}:</strong> <Change before={before} after={after} />
              {mine ? <em className="conflict-both"> ({t('seller.products.conflict.too')})</em> : null}
            </li>
          ))}
        </ul>
      ) : (
        <p>{t('seller.products.conflict.nothing')}</p>
      )}
      <div className="button-row">
        <button type="button" className="button button-outline" disabled={busy} onClick={onTheirs}>
          {t('seller.products.conflict.theirs')}
        </button>
        <button type="button" className="button button-primary" disabled={busy} onClick={onMine}>
          {t('seller.products.conflict.mine')}
        </button>
      </div>
    </div>
  )
}

/** Shows 'before → after'; screen readers hear a word for the arrow. */
export function Change({ before, after }: { before: string; after: string }) {
  const t = useT()
  const lang = useLang()
  const side = (text: string) => text || <i className="muted">{t('seller.products.empty')}</i>
  return (
    <span className="change">
      <del lang={scriptLang(before, lang)}>{side(before)}</del> <span aria-hidden="true">→</span>
      <span className="sr-only"> {t('seller.products.becomes')} </span>{' '}
      <ins lang={scriptLang(after, lang)}>{side(after)}</ins>
    </span>
  )
}
