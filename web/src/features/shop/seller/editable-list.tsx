import { type ReactNode, useEffect, useRef } from 'react'
import type { Row } from '@/features/shop/seller/settings-draft'
import { useT } from '@/lib/i18n'
import { announce } from '@/ui/announcer'
import { BinIcon, PlusIcon } from '@/ui/icons'
import { ArrowDownIcon, ArrowUpIcon } from '@/ui/icons-seller'

type EditableListProps<T> = {
  /** The prefix of its buttons' ids. */
  id: string
  rows: Row<T>[]
  most: number
  empty: () => Row<T>
  /** The name of a row in the labels of its buttons. */
  nameOf: (row: Row<T>, index: number) => string
  add: string
  none: string
  onChange: (rows: Row<T>[]) => void
  children: (row: Row<T>, index: number, change: (changes: Partial<T>) => void) => ReactNode
}

/** A list whose rows can be added, removed and moved. The focus follows every change. */
export function EditableList<T extends object>(props: EditableListProps<T>) {
  const { id, rows, most, empty, nameOf, add, none, onChange, children } = props
  const t = useT()
  const box = useRef<HTMLDivElement>(null)
  /** The selector of the element to focus after the rows have been drawn again. */
  const next = useRef<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: after every change of the rows
  useEffect(() => {
    if (!next.current) return
    const target = box.current?.querySelector<HTMLElement>(next.current)
    next.current = null
    target?.focus()
  }, [rows])

  const move = (from: number, by: -1 | 1) => {
    const to = from + by
    const moved = [...rows]
    const [row] = moved.splice(from, 1)
    if (!row || to < 0 || to > moved.length) return
    moved.splice(to, 0, row)
    const way = by < 0 ? 'up' : 'down'
    const atEnd = by < 0 ? to === 0 : to === moved.length - 1
    // At the end of the list the pressed button is disabled, so the opposite one takes the focus.
    next.current = `[data-row="${row.key}"] [data-move="${atEnd ? (way === 'up' ? 'down' : 'up') : way}"]`
    announce(t('seller.settings.row.moved', { name: nameOf(row, to), n: to + 1, all: moved.length }))
    onChange(moved)
  }
  const remove = (index: number) => {
    const left = rows.filter((_, each) => each !== index)
    const neighbour = left[Math.min(index, left.length - 1)]
    next.current = neighbour ? `[data-row="${neighbour.key}"] input` : `#${id}-add`
    onChange(left)
  }
  const grow = () => {
    const row = empty()
    next.current = `[data-row="${row.key}"] input`
    onChange([...rows, row])
  }

  return (
    <div ref={box} className="rows">
      {rows.length === 0 ? <p className="muted">{none}</p> : null}
      <ol>
        {rows.map((row, index) => {
          const name = nameOf(row, index)
          return (
            <li key={row.key} data-row={row.key} data-testid={`${id}-row`}>
              <div className="rows-tools">
                <strong>{name}</strong>
                <button
                  type="button"
                  className="icon-button"
                  data-move="up"
                  disabled={index === 0}
                  aria-label={t('seller.settings.row.up', { name })}
                  onClick={() => move(index, -1)}
                >
                  <ArrowUpIcon />
                </button>
                <button
                  type="button"
                  className="icon-button"
                  data-move="down"
                  disabled={index === rows.length - 1}
                  aria-label={t('seller.settings.row.down', { name })}
                  onClick={() => move(index, 1)}
                >
                  <ArrowDownIcon />
                </button>
                <button
                  type="button"
                  className="icon-button"
                  aria-label={t('seller.settings.row.remove', { name })}
                  onClick={() => remove(index)}
                >
                  <BinIcon />
                </button>
              </div>
              {children(row, index, (changes) =>
                onChange(rows.map((each) => (each.key === row.key ? { ...each, ...changes } : each))),
              )}
            </li>
          )
        })}
      </ol>
      <button
        id={`${id}-add`}
        type="button"
        className="button button-outline"
        disabled={rows.length >= most}
        onClick={grow}
      >
        <PlusIcon />
        {add}
      </button>
      {rows.length >= most ? (
        <p className="field-hint">{t('seller.settings.row.most', { n: most })}</p>
      ) : null}
    </div>
  )
}
