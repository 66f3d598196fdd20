export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** As API Gateway writes it: `PUT /campaigns/{id}`. */
export type RouteKey = `${HttpMethod} /${string}`

export interface RouteDeclaration<F extends string = string> {
  readonly function: F
  /** Whether a caller needs a token. @default true */
  readonly authorized?: boolean
}
