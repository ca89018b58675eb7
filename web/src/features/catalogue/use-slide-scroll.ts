import { type RefObject, useEffect, useRef } from 'react'

/**
 * For pictures side by side in `track`, which is swiped or scrolled by the function that this returns. `onSettle` gets
 * every picture that the shopper swipes to, but none that a smooth scroll only passes.
 */
export function useSlideScroll(
  track: RefObject<HTMLElement | null>,
  count: number,
  onSettle: (index: number) => void,
) {
  const goal = useRef<number | null>(null)
  const settle = useRef(onSettle)
  settle.current = onSettle
  useEffect(() => {
    const box = track.current
    if (!box) return undefined
    const onScroll = () => {
      if (box.clientWidth === 0) return
      const index = Math.min(count - 1, slideOf(box))
      if (goal.current !== null && goal.current !== index) return
      goal.current = null
      settle.current(index)
    }
    // A finger or a wheel ends a smooth scroll before its goal; a mouse button does not.
    const forget = (event: Event) => {
      if (event instanceof PointerEvent && event.pointerType === 'mouse') return
      goal.current = null
    }
    const forgetting = ['pointerdown', 'wheel']
    box.addEventListener('scroll', onScroll)
    for (const type of forgetting) box.addEventListener(type, forget, { passive: true })
    return () => {
      box.removeEventListener('scroll', onScroll)
      for (const type of forgetting) box.removeEventListener(type, forget)
    }
  }, [track, count])

  return (index: number, behavior?: ScrollBehavior) => {
    const box = track.current
    // A box that is not laid out yet, or that is already there, sends no event.
    if (!box || box.clientWidth === 0) return
    goal.current = slideOf(box) === index ? null : index
    box.scrollTo({ left: index * box.clientWidth, ...(behavior ? { behavior } : {}) })
  }
}

const slideOf = (box: HTMLElement) => Math.round(box.scrollLeft / box.clientWidth)
