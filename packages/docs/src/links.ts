import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { anchorsOf, linksOf } from './markdown.ts'
import type { Page } from './pages.ts'
import { repositoryUrl } from './repository.ts'

/** What a link of a page leads to. */
export type LinkTarget =
  | { readonly kind: 'page'; readonly page: Page; readonly anchor: string }
  | { readonly kind: 'file'; readonly path: string; readonly anchor: string }
  | { readonly kind: 'outside'; readonly url: string }

/**
 * A folder stands for its README; the rules' index inside `asl` for the one of the docs. Packages name each
 * other by whole addresses, since a registry shows their READMEs too: those are links like any other.
 */
export function resolveLink(page: Page, target: string, pages: readonly Page[]): LinkTarget {
  const own = ['blob', 'tree', 'raw']
    .map(kind => `${repositoryUrl}/${kind}/main/`)
    .find(each => target.startsWith(each))
  if (own === undefined && /^[a-z]+:/.test(target)) return { kind: 'outside', url: target }
  const [path = '', anchor = ''] = target.slice(own?.length ?? 0).split('#')
  if (path === '') return { kind: 'page', page, anchor }
  const folder = own === undefined ? posix.dirname(page.source) : ''
  const full = posix.join(folder, path).replace(/\/$/, '')
  const meant = full === 'packages/asl/docs/rules/README.md' ? 'docs/rules/README.md' : full
  const found = pages.find(({ source }) => source === meant || source === `${meant}/README.md`)
  return found ? { kind: 'page', page: found, anchor } : { kind: 'file', path: meant, anchor }
}

/** Links that lead nowhere, each with its page and line. Addresses outside are not asked. */
export function brokenLinks(pages: readonly Page[], root: string): readonly string[] {
  return pages.flatMap(page =>
    linksOf(page.markdown).flatMap(({ target, index }) => {
      const problem = problemOf(resolveLink(page, target, pages), root)
      const line = page.markdown.slice(0, index).split('\n').length
      return problem === undefined ? [] : [`${page.source}:${line}: ${target} ${problem}`]
    }),
  )
}

function problemOf(target: LinkTarget, root: string): string | undefined {
  if (target.kind === 'outside') return undefined
  if (target.kind === 'file') return existsSync(join(root, target.path)) ? undefined : 'does not exist'
  const { page, anchor } = target
  return anchor === '' || anchorsOf(page.markdown).has(anchor) ? undefined : 'names no heading of that page'
}
