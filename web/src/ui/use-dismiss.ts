import { type RefObject, useEffect } from 'react'

/** Closes an open box on a press outside it or on Escape, which returns the focus to its button. */
export function useDismiss(open: boolean, box: RefObject<HTMLElement | null>, close: () => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `close` only ever sets the state that `open` is
  useEffect(() => {
    if (!open) return undefined
    const onPress = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) close()
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      close()
      box.current?.querySelector('button')?.focus()
    }
    document.addEventListener('pointerdown', onPress)
    // This listener runs before that of the toasts, which Escape would close too.
    document.addEventListener('keydown', onKey, true)
    return () => {
      document.removeEventListener('pointerdown', onPress)
      document.removeEventListener('keydown', onKey, true)
    }
  }, [open])
}
