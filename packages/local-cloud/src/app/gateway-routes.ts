import type { AnyApp, RouteDeclaration } from '@stepwright/app'
import type { GatewayRoute } from '../gateway.ts'

/** The app's routes, each with the function behind it. */
export function routesOf(
  app: AnyApp,
  call: (name: string, event: unknown) => Promise<unknown>,
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
        handler: event => call(route.function, event),
        ...(route.authorized !== undefined && { authorized: route.authorized }),
      },
    ]
  })
}
