import type { App, RouteDeclaration } from '@stepwright/app'

/** Only REST APIs stream; HTTP APIs are cheaper. */
export function apiKindOf({ routes = {} }: App): 'http' | 'rest' | undefined {
  const declared = Object.values<RouteDeclaration | undefined>(routes)
  if (declared.length === 0) return undefined
  return declared.some(route => route?.streaming) ? 'rest' : 'http'
}

/** Where the API is: a REST API has its stage in the path. */
export function apiUrlOf(app: App, stage: string | undefined): string {
  const origin = `https://\${Api}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}`
  return apiKindOf(app) === 'rest' ? `${origin}/${restStageName(stage)}` : origin
}

export function restStageName(stage: string | undefined): string {
  return stage ?? 'live'
}
