const key = 'token'

/** The token that the address brings along, as a sign-in page hands it over, or that of the last tab. */
export function takeToken(): string | undefined {
  const brought = new URLSearchParams(location.hash.slice(1)).get('token')
  if (brought) {
    keepToken(brought)
    // It must not stay in the history, nor be copied with the address.
    history.replaceState(null, '', location.pathname + location.search)
  }
  return localStorage.getItem(key) ?? undefined
}

export function keepToken(token: string): void {
  localStorage.setItem(key, token)
}

/** After it has expired. */
export function forgetToken(): void {
  localStorage.removeItem(key)
}
