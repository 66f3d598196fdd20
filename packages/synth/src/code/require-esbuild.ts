import { createRequire } from 'node:module'

/** esbuild is a peer: only who bundles needs it. */
export function requireEsbuild(what: string): typeof import('esbuild') {
  try {
    return createRequire(import.meta.url)('esbuild')
  } catch (cause) {
    throw new TypeError(`bundling needs esbuild for ${what}`, { cause })
  }
}
