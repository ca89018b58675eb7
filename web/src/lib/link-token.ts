let taken: { path: string; token: string } | null = null

/**
 * The token behind the `#` of a link in an email. It is taken out of the address at once, so that it stays neither in the
 * history nor on a shared screen; asking again on the same page gives the same token.
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
