import { useNavigate, useSearch } from '@tanstack/react-router'

/** What stands behind the `?` of the address, as plain texts; an empty one is not written. The way back skips the changes. */
export function useSearchParams(): [
  read: (name: string) => string,
  write: (changes: Record<string, string>) => void,
] {
  const navigate = useNavigate()
  const search: Record<string, unknown> = useSearch({ strict: false })
  const read = (name: string) => String(search[name] ?? '')
  const write = (changes: Record<string, string>) => {
    const all = Object.entries({ ...search, ...changes }).filter(([, value]) => value !== '')
    // What was pressed stays where it is. Every page reads its own names, so the routes know of none.
    void navigate({ to: '.', search: Object.fromEntries(all) as never, replace: true, resetScroll: false })
  }
  return [read, write]
}
