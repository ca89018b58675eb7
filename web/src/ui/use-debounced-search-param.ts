import { useMatch, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useDebounced } from '@/lib/use-debounced'

const TYPING_MS = 250

const bare = (path: string) => path.replace(/\/$/, '')

/**
 * A text field that is synced with the address. The address changes only after a pause in typing; its late updates must
 * not overwrite what was typed since.
 */
export function useDebouncedSearchParam(address: string, change: (text: string) => void) {
  const router = useRouter()
  const own = useMatch({ strict: false, select: ({ pathname }) => pathname })
  const [text, setText] = useState(address)
  const settled = useDebounced(text, TYPING_MS)
  /** The texts that were sent to the address, oldest first, starting with the one that the address shows now. */
  const sent = useRef<string[]>([])
  useEffect(() => {
    const own = sent.current.indexOf(address)
    sent.current = own < 0 ? [] : sent.current.slice(own)
    if (own < 0) setText(address)
  }, [address])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a pause in typing may change the address
  useEffect(() => {
    const words = settled.trim()
    if (settled !== text || words === (sent.current.at(-1) ?? address)) return
    // While another page is loading, changing the address would lead back to this one.
    if (bare(router.latestLocation.pathname) !== bare(own)) return
    sent.current.push(words)
    change(words)
  }, [settled])
  return [text, setText] as const
}
