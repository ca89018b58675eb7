/**
 * Calls that come thick and fast become few: the first is done at once, all that come meanwhile become one more, when the
 * first is done and `ms` have passed. The second function forgets what is still to be done.
 */
export function coalesce(work: () => Promise<unknown>, ms: number): [call: () => void, stop: () => void] {
  let busy = false
  let wanted = false
  let stopped = false
  const call = () => {
    wanted = true
    if (busy || stopped) return
    busy = true
    wanted = false
    const pause = new Promise((resolve) => setTimeout(resolve, ms))
    void Promise.allSettled([work(), pause]).then(() => {
      busy = false
      if (wanted) call()
    })
  }
  const stop = () => {
    stopped = true
  }
  return [call, stop]
}
