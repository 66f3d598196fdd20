export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** As API Gateway writes it: `PUT /campaigns/{id}`. */
export type RouteKey = `${HttpMethod} /${string}`

export interface RouteDeclaration {
  readonly function: string
  /** Whether a caller needs a token. @default true */
  readonly authorized?: boolean
  /**
   * Whether the function streams its response, as one of `toEventStreamHandler` does. Only REST APIs can do that, so
   * one such route makes the app's API a REST API: for 15 minutes at most, and 5 without a byte. @default false
   */
  readonly streaming?: boolean
}
