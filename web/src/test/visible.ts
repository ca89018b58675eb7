import { vi } from 'vitest'

/** Everything that waits until it is near the screen is there at once. */
export function showEverything() {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(private readonly tell: (entries: { isIntersecting: boolean }[]) => void) {}
      observe() {
        this.tell([{ isIntersecting: true }])
      }
      disconnect() {}
    },
  )
}
