import dns from 'node:dns'

/**
 * The SDK sends StartSyncExecution and TestState to `sync-` and the endpoint's host, which no resolver knows. Here it
 * is the endpoint's own host, so that an app's `new SFNClient({})` needs no setting that it would not have on AWS.
 */
export function resolveSyncHost(): void {
  const { lookup } = dns
  const resolve = (hostname: string, ...rest: unknown[]): unknown =>
    Reflect.apply(lookup, dns, [hostname === 'sync-127.0.0.1' ? '127.0.0.1' : hostname, ...rest])
  dns.lookup = Object.assign(resolve, lookup) as typeof lookup
}
