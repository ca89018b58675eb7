const RETRY_DELAYS_MS = [1000, 3000]

/** A page or a part of one that could not be loaded after several attempts. */
export class LoadError extends Error {}

/** Retries a file that did not load: most failures on a phone are over in a second or two. */
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
    // With the browser's own error the router would reload the page.
    throw new LoadError('A file of the app did not come.', { cause })
  }
}
