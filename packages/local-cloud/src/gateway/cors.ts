export interface GatewayCors {
  /** @default '*' */
  readonly origin?: string
  /** @default 600 */
  readonly maxAgeSeconds?: number
}

/** The headers of every answer to a browser. */
export function corsHeaders({ origin = '*' }: GatewayCors): Record<string, string> {
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': 'retry-after' }
}

/** The headers of the answer to a browser's question whether it may send a request. */
export function preflightHeaders(options: GatewayCors, methods: readonly string[]): Record<string, string> {
  return {
    ...corsHeaders(options),
    'access-control-allow-methods': [...methods, 'OPTIONS'].join(','),
    'access-control-allow-headers': 'authorization,content-type,idempotency-key',
    'access-control-max-age': String(options.maxAgeSeconds ?? 600),
  }
}
