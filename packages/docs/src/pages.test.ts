import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { brokenLinks } from './links.ts'
import { linksOf } from './markdown.ts'
import { type Page, readPages } from './pages.ts'
import { repositoryRoot, repositoryUrl } from './repository.ts'
import { relativeUrl, toMarkdownPage, toSitePage } from './site-page.ts'

const pages = readPages(repositoryRoot)

describe('the pages of the site', () => {
  it('have a title, a description and an address of their own', () => {
    for (const { source, title, description } of pages) {
      expect(title, source).not.toBe('')
      expect(description.length, `${source} begins with a sentence`).toBeGreaterThan(10)
    }
    expect(new Set(pages.map(({ slug }) => slug)).size).toBe(pages.length)
  })

  it('begin with the front page, and hold what a reader looks for', () => {
    expect(pages[0]).toMatchObject({ source: 'README.md', slug: '', section: 'Start' })
    const slugs = pages.map(({ slug }) => slug)
    for (const slug of ['handlers', 'rules/kinds-business-retried', 'runbooks/slow', 'packages/task'])
      expect(slugs).toContain(slug)
  })

  it('name every package on the front page', () => {
    const named = new Set(linksOf(pages[0]?.markdown ?? '').map(({ target }) => target))
    const packages = pages.filter(({ source }) => /^packages\/[^/]+\/README\.md$/.test(source))
    const missing = packages.map(({ source }) => dirname(source)).filter(folder => !named.has(folder))
    expect(missing).toEqual(['packages/local-server']) // which applications do not need
  })

  it('have no link that leads nowhere', () => {
    expect(brokenLinks(pages, repositoryRoot)).toEqual([])
  })
})

describe('brokenLinks', () => {
  it('names the page, the line and the link', () => {
    const [front] = pages
    const broken = pages.map(page =>
      page === front ? { ...page, markdown: '# A\n\n[x](none.md) [y](docs/handlers.md#nothing)\n' } : page,
    )
    expect(brokenLinks(broken, repositoryRoot)).toEqual([
      'README.md:3: none.md does not exist',
      'README.md:3: docs/handlers.md#nothing names no heading of that page',
    ])
  })
})

describe('toSitePage', () => {
  const slow = pages.find(({ source }) => source === 'docs/runbooks/slow.md')
  const of = (markdown: string) =>
    toSitePage({ ...(slow as Page), markdown }, { pages, pictureUrl: path => `pictures/${path}` })

  it('gives links to pages that work wherever the site is put', () => {
    expect(of('# A\n\nB [c](../handlers.md#the-handlers) [d](README.md) [e](../../README.md).\n')).toBe(
      '---\ntitle: "A"\ndescription: "B c d e."\neditUrl: false\n---\n\nB [c](../../handlers/#the-handlers) [d](../) [e](../../).\n',
    )
  })

  it('knows a page by its address on the Git host, too', () => {
    expect(of(`# A\n\nB [c](${repositoryUrl}/tree/main/packages/task#errors).\n`)).toMatch(
      /\[c\]\(\.\.\/\.\.\/packages\/task\/#errors\)/,
    )
  })

  it('links files that are no pages to where the source is shown', () => {
    expect(of('# A\n\nB [c](../../package.json).\n')).toContain(
      `[c](${repositoryUrl}/blob/main/package.json)`,
    )
  })

  it('makes a table of a graph', () => {
    const graph = '```mermaid\ngraph BT\n  a --> b\n  a --> c\n  d --> b\n```'
    expect(of(`# A\n\nB.\n\n${graph}\n`)).toContain('| a | b, c |\n| d | b |\n')
  })

  it('takes pictures along', () => {
    expect(of('# A\n\n![B](../console.png)\n')).toMatch(/!\[B\]\(pictures\/docs\/console\.png\)/)
  })
})

describe('toMarkdownPage', () => {
  it('links the Markdown of other pages, and pictures where they are', () => {
    const [front] = pages
    const text = toMarkdownPage(front as Page, pages)
    expect(text).toContain('](tutorial.md)')
    expect(text).toContain('](packages/errors.md)')
    expect(text).toContain(`](${repositoryUrl}/raw/main/docs/console.png)`)
  })
})

describe('relativeUrl', () => {
  it.each([
    ['', 'rules', 'rules/'],
    ['rules', '', '../'],
    ['rules', 'rules', './'],
    ['rules/a', 'rules', '../'],
    ['a/b', 'c/d', '../../c/d/'],
  ])('leads from "%s" to "%s" by %s', (from, to, url) => {
    expect(relativeUrl(from, to)).toBe(url)
  })
})
