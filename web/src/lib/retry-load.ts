const RETRY_DELAYS_MS = [1000, 3000]

/** A page or a part of one that did not come, although it was asked for several times. */
export class LoadError extends Error {}

/** Asks again for a file that did not come: most failures on a phone are over in a second or two. */
export async function retryLoad<T>(load: () => Promise<T>): Promise<T> {
  for (const wait of RETRY_DELAYS_MS) {
    try {
      return await load()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
  try {
    return await load()
  } catch (cause) {
    // Not the browser's own error, at which the router would reload the page unasked.
    throw new LoadError('A file of the app did not come.', { cause })
  }
}
