let taken: { path: string; token: string } | null = null

/**
 * Returns the token after the `#` of an emailed link. It is removed from the address at once, so that it appears
 * neither in the history nor on a shared screen; further calls on the same page return the same token.
 */
export function takeLinkToken(): string {
  const { pathname, search, hash } = window.location
  const token = new URLSearchParams(hash.slice(1)).get('token')
  if (token) {
    taken = { path: pathname, token }
    window.history.replaceState(window.history.state, '', pathname + search)
  }
  return taken?.path === pathname ? taken.token : ''
}
