import { defineRouteMiddleware } from '@astrojs/starlight/route-data'

/** A single page is Japanese; locales of Starlight's would make a second copy of every other page. */
export const onRequest = defineRouteMiddleware(({ locals }) => {
  const route = locals.starlightRoute
  if (route.id.startsWith('ja/')) route.lang = 'ja'
})
