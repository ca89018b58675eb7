import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Seller, sessions } from '@/features/accounts/session'

/** The parameters of a list in the address; empty ones are left out. */
export type ListFilter = Record<string, string>
export type SavedView = { name: string; filter: ListFilter }
type ListSettings = { views: SavedView[]; columns: string[] | null }

const VERSION = 1
const MAX_VIEWS = 20
export const MAX_NAME = 40

const keyOf = (seller: Seller | null | undefined, list: string) => `list.${list}.${seller?.email ?? ''}`

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isText = (value: unknown): value is string => typeof value === 'string'

const isView = (value: unknown): value is SavedView =>
  isRecord(value) &&
  isText(value.name) &&
  value.name.trim() !== '' &&
  value.name.length <= MAX_NAME &&
  isRecord(value.filter) &&
  Object.values(value.filter).every(isText)

/** Reads what is stored. Anything that another version or another program has written counts as nothing. */
export function parseListSettings(text: string | null): ListSettings {
  let stored: unknown
  try {
    stored = JSON.parse(text ?? '')
  } catch {
    stored = null
  }
  if (!isRecord(stored) || stored.version !== VERSION) return { views: [], columns: null }
  const views = Array.isArray(stored.views) ? stored.views.filter(isView).slice(0, MAX_VIEWS) : []
  const columns = Array.isArray(stored.columns) ? stored.columns.filter(isText) : null
  return { views, columns }
}

export const isSameFilter = (one: ListFilter, other: ListFilter) => {
  const given = (filter: ListFilter) =>
    Object.entries(filter)
      .filter(([, value]) => value !== '')
      .sort(([a], [b]) => a.localeCompare(b))
  return JSON.stringify(given(one)) === JSON.stringify(given(other))
}

/** The saved views and the chosen columns of a list, for this member of staff on this device (decision 098). */
export function useListSettings(list: string) {
  const { data: seller } = useQuery({ ...sessions.seller, enabled: false })
  const key = keyOf(seller, list)
  // Private windows may refuse storage; the settings then last until the page is left.
  const read = () => {
    try {
      return parseListSettings(localStorage.getItem(key))
    } catch {
      return parseListSettings(null)
    }
  }
  const [state, setState] = useState(() => ({ key, settings: read() }))
  const settings = state.key === key ? state.settings : read()
  // A toast may undo a change later, when other settings have changed.
  const latest = useRef(settings)
  latest.current = settings
  const store = (changes: Partial<ListSettings>) => {
    const next = { ...latest.current, ...changes }
    setState({ key, settings: next })
    try {
      localStorage.setItem(key, JSON.stringify({ version: VERSION, ...next }))
    } catch {
      // See above.
    }
  }
  return {
    ...settings,
    isFull: settings.views.length >= MAX_VIEWS,
    setViews: (views: SavedView[]) => store({ views }),
    setColumns: (columns: string[]) => store({ columns }),
  }
}

export type ListSettingsStore = ReturnType<typeof useListSettings>
