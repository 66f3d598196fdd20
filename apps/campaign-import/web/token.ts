const key = 'campaign-token'

/** The link to the page brings the token in its fragment, which no server sees; it must not stay in the address bar. */
export function keepToken(): void {
  const token = /^#token=(.+)$/.exec(location.hash)?.[1]
  if (token === undefined) return
  sessionStorage.setItem(key, token)
  history.replaceState(null, '', location.pathname)
}

export function readToken(): string | null {
  return sessionStorage.getItem(key)
}
