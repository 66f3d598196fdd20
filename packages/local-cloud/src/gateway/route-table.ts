/** A route's path as API Gateway writes it: `/campaigns/{id}`, or `/files/{key+}` for all that follows. */
export interface Route {
  readonly method: string
  readonly path: string
}

export interface Match<R extends Route> {
  readonly route: R
  readonly pathParameters: Readonly<Record<string, string>>
}

export interface RouteTable<R extends Route> {
  find(method: string, path: string): Match<R> | undefined
  /** The methods that the path has, for CORS and for 405. */
  methodsOf(path: string): string[]
}

export class GatewayRouteError extends Error {
  override readonly name = 'GatewayRouteError'
}

/** The more literal of two matching paths wins: `/campaigns/new` before `/campaigns/{id}`. */
export function createRouteTable<R extends Route>(routes: readonly R[]): RouteTable<R> {
  const compiled = routes
    .map(route => ({ route, pattern: compile(route.path) }))
    .toSorted((a, b) => parameterCount(a.route.path) - parameterCount(b.route.path))
  refuseDuplicates(routes)
  return {
    find(method, path) {
      for (const { route, pattern } of compiled) {
        if (route.method !== method) continue
        const found = pattern.exec(path)
        if (found) return { route, pathParameters: decodeAll(found.groups ?? {}) }
      }
      return undefined
    },
    methodsOf(path) {
      return compiled.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route.method)
    },
  }
}

function compile(path: string): RegExp {
  if (!path.startsWith('/'))
    throw new GatewayRouteError(`the path ${JSON.stringify(path)} does not start with "/"`)
  const source = path
    .split(/(\{\w+\+?\})/)
    .map(part => {
      const parameter = /^\{(\w+)(\+?)\}$/.exec(part)
      if (!parameter) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      return `(?<${parameter[1]}>${parameter[2] === '+' ? '.+' : '[^/]+'})`
    })
    .join('')
  return new RegExp(`^${source}$`)
}

function parameterCount(path: string): number {
  return path.split('{').length
}

function decodeAll(groups: Readonly<Record<string, string>>): Record<string, string> {
  const decoded: Record<string, string> = {}
  for (const name in groups) decoded[name] = decode(groups[name] ?? '')
  return decoded
}

function decode(value: string): string {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

function refuseDuplicates(routes: readonly Route[]): void {
  const seen = new Set<string>()
  for (const { method, path } of routes) {
    const shape = `${method} ${path.replaceAll(/\{\w+/g, '{')}`
    if (seen.has(shape)) throw new GatewayRouteError(`two routes answer ${method} ${path}`)
    seen.add(shape)
  }
}
