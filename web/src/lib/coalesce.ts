/**
 * Merges frequent calls: the first runs at once, and all calls that arrive while it runs become one more call, after
 * the first has finished and `ms` have passed. The second function cancels the pending call.
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
