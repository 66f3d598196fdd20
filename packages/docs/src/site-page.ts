import { posix } from 'node:path'
import { resolveLink } from './links.ts'
import { linksOf, outlineOf } from './markdown.ts'
import type { Page } from './pages.ts'
import { repositoryUrl } from './repository.ts'

export interface SitePageOptions {
  readonly pages: readonly Page[]
  /** What a picture's file is called in the page. */
  readonly pictureUrl: (path: string) => string
}

/** The page as Starlight takes it: front matter, no first heading, links that work wherever the site is put. */
export function toSitePage(page: Page, { pages, pictureUrl }: SitePageOptions): string {
  const { title, description, body } = outlineOf(page.markdown)
  const toUrl = (target: string): string => {
    const found = resolveLink(page, target, pages)
    if (found.kind === 'outside') return found.url
    const anchor = found.anchor === '' ? '' : `#${found.anchor}`
    if (found.kind === 'page') return `${relativeUrl(page.slug, found.page.slug)}${anchor}`
    if (/\.(png|svg|webp)$/.test(found.path)) return pictureUrl(found.path)
    return `${repositoryUrl}/blob/main/${found.path}${anchor}`
  }
  const matter = { title, description: description.slice(0, 300), editUrl: false }
  const lines = Object.entries(matter).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  return `---\n${lines.join('\n')}\n---\n\n${withTables(withLinks(body, toUrl))}`
}

/** From one page to another, however the site is reached. */
export function relativeUrl(from: string, to: string): string {
  const path = posix.relative(`/${from}`, `/${to}`)
  return path === '' ? './' : `${path}/`
}

function withLinks(markdown: string, toUrl: (target: string) => string): string {
  let rest = markdown
  for (const { target, index } of linksOf(markdown).toReversed()) {
    rest = rest.slice(0, index) + toUrl(target) + rest.slice(index + target.length)
  }
  return rest
}

/** Git hosts draw Mermaid's graphs; on the site, which loads no script for that, they are tables. */
function withTables(markdown: string): string {
  return markdown.replaceAll(/^```mermaid\ngraph .*?^```$/gms, graph => {
    const edges = [...graph.matchAll(/^ *(\S+) --> (\S+)$/gm)]
    const rows = [...Map.groupBy(edges, ([, from = '']) => from)].map(
      ([from, to]) => `| ${from} | ${to.map(([, , target]) => target).join(', ')} |`,
    )
    return ['| package | imports |', '| --- | --- |', ...rows].join('\n')
  })
}
