import { useEffect, useState } from 'preact/hooks'

export interface Route {
  readonly page: string
  readonly query: URLSearchParams
}

function read(): Route {
  const [page = '', search = ''] = location.hash.replace(/^#\/?/, '').split('?')
  return { page: page || 'executions', query: new URLSearchParams(search) }
}

export function useRoute(): Route {
  const [route, setRoute] = useState(read)
  useEffect(() => {
    const change = (): void => setRoute(read())
    addEventListener('hashchange', change)
    change() // it may have changed before there was anybody to listen
    return () => removeEventListener('hashchange', change)
  }, [])
  return route
}

export function linkTo(page: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) if (value) search.set(key, value)
  return `#/${page}${search.size > 0 ? `?${search}` : ''}`
}

export function go(page: string, query: Readonly<Record<string, string | undefined>> = {}): void {
  location.hash = linkTo(page, query)
}

/** Changes a part of the query and leaves the page. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const { page, query } = read()
  const all: Record<string, string | undefined> = { ...Object.fromEntries(query), ...changes }
  history.replaceState(null, '', linkTo(page, all))
  dispatchEvent(new HashChangeEvent('hashchange'))
}
