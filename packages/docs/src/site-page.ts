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
  const matter = { title, description: description.slice(0, 300), editUrl: false }
  const lines = Object.entries(matter).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  const pageUrl = ({ slug }: Page) => relativeUrl(page.slug, slug)
  const linked = withLinks(page, body, { pages, pageUrl, pictureUrl })
  return `---\n${lines.join('\n')}\n---\n\n${withTables(linked)}`
}

/** The page as Markdown for programs, beside the page for people: `guides/x.md` beside `guides/x/`. */
export function toMarkdownPage(page: Page, pages: readonly Page[]): string {
  const folder = posix.dirname(markdownName(page))
  const pageUrl = (target: Page) => posix.relative(folder, markdownName(target))
  const pictureUrl = (path: string) => `${repositoryUrl}/raw/main/${path}`
  return withLinks(page, page.markdown, { pages, pageUrl, pictureUrl })
}

/** What `toMarkdownPage` is called on the site. */
export function markdownName({ slug }: Page): string {
  return `${slug || 'index'}.md`
}

/** From one page to another, however the site is reached. */
export function relativeUrl(from: string, to: string): string {
  const path = posix.relative(`/${from}`, `/${to}`)
  return path === '' ? './' : `${path}/`
}

interface Urls extends SitePageOptions {
  readonly pageUrl: (target: Page) => string
}

function withLinks(page: Page, markdown: string, { pages, pageUrl, pictureUrl }: Urls): string {
  const toUrl = (target: string): string => {
    const found = resolveLink(page, target, pages)
    if (found.kind === 'outside') return found.url
    const anchor = found.anchor === '' ? '' : `#${found.anchor}`
    if (found.kind === 'page') return `${pageUrl(found.page)}${anchor}`
    if (/\.(png|svg|webp)$/.test(found.path)) return pictureUrl(found.path)
    return `${repositoryUrl}/blob/main/${found.path}${anchor}`
  }
  let text = markdown
  for (const { target, index } of linksOf(markdown).toReversed())
    text = text.slice(0, index) + toUrl(target) + text.slice(index + target.length)
  return text
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
