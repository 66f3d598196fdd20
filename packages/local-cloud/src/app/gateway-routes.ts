import type { Writable } from 'node:stream'
import type { App, RouteDeclaration } from '@stepwright/app'
import type { GatewayRoute } from '../gateway.ts'

/** The app's routes, each with the function behind it. */
export function routesOf(
  app: App,
  call: (name: string, event: unknown, how: { readonly stream: Writable | undefined }) => Promise<unknown>,
): readonly GatewayRoute[] {
  const declared: readonly (readonly [string, RouteDeclaration | undefined])[] = Object.entries(
    app.routes ?? {},
  )
  return declared.flatMap(([key, route]) => {
    if (route === undefined) return []
    const [method = '', path = ''] = key.split(' ')
    return [
      {
        method: method as GatewayRoute['method'],
        path,
        handler: (event, _context, stream) => call(route.function, event, { stream }),
        streaming: route.streaming ?? false,
        ...(route.authorized !== undefined && { authorized: route.authorized }),
      },
    ]
  })
}
