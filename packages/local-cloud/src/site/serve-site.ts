import { type SiteFile, siteHeaders } from '@stepwright/synth/site'
import type { GatewaySite } from '../gateway.ts'

/** Serves a site as its function does. `connectTo` are other origins that its page may call: that of a bucket. */
export function serveSite(files: readonly SiteFile[], connectTo: readonly string[]): GatewaySite {
  const byPath = new Map(files.map(file => [file.path, file]))
  const common = siteHeaders(connectTo)
  return {
    find(path) {
      const file = byPath.get(path === '/index.html' ? '/' : path)
      if (file === undefined) return undefined
      return { headers: { ...common, 'content-type': file.contentType }, body: Buffer.from(file.content) }
    },
  }
}
