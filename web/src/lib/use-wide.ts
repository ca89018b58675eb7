import { useSyncExternalStore } from 'react'

const WIDE = '(min-width: 1024px)'

const subscribe = (listener: () => void) => {
  const query = matchMedia(WIDE)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether there is space for two columns. The style sheets have the same width. */
export const useWide = () => useSyncExternalStore(subscribe, () => matchMedia(WIDE).matches)
