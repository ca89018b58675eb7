const KEY = 'recently-viewed'
const MOST = 12

/** The ids of the products that were opened on this device, newest first. They never leave it. */
export function recentlyViewed(): string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string').slice(0, MOST) : []
  } catch {
    return []
  }
}

export function rememberViewed(id: string) {
  const ids = [id, ...recentlyViewed().filter((other) => other !== id)].slice(0, MOST)
  try {
    localStorage.setItem(KEY, JSON.stringify(ids))
  } catch {
    // Private windows may refuse storage; the list stays as it was.
  }
}
