import { useNavigate, useSearch } from '@tanstack/react-router'

/** The query of the address as plain texts; empty ones are removed. Changes replace the history entry, unless `push` is set. */
export function useSearchParams(): [
  read: (name: string) => string,
  write: (changes: Record<string, string>, push?: boolean) => void,
] {
  const navigate = useNavigate()
  const search: Record<string, unknown> = useSearch({ strict: false })
  const read = (name: string) => String(search[name] ?? '')
  const write = (changes: Record<string, string>, push = false) => {
    const all = Object.entries({ ...search, ...changes }).filter(([, value]) => value !== '')
    // The focus stays on the pressed control. Every page reads its own parameters, so the routes do not declare them.
    void navigate({ to: '.', search: Object.fromEntries(all) as never, replace: !push, resetScroll: false })
  }
  return [read, write]
}
