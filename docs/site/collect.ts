import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import {
  llmsFullText,
  llmsText,
  markdownName,
  type Page,
  readPages,
  repositoryRoot,
  type Section,
  sections,
  toMarkdownPage,
  toSitePage,
} from '../../packages/docs/src/index.ts'
import { type ApiPage, readApiPages } from './api-reference.ts'

const here = import.meta.dirname
const content = join(here, 'src/content/docs')
const pictures = join(here, 'src/content/pictures')

/** Forgets what was collected before, so that pages that are no more do not stay. */
export function clear(): void {
  for (const folder of [content, pictures, join(here, 'public')])
    rmSync(folder, { recursive: true, force: true })
}

/** Writes what the site is made of: the repository's Markdown, the reference of the types, the navigation. */
export function collect({ base }: { readonly base: string }): { readonly pages: number } {
  const pages = readPages(repositoryRoot)
  const api = readApiPages(repositoryRoot)
  const apiPages = api.map(
    ({ entry, slug, markdown }): Page => ({
      source: `${slug}.md`,
      slug,
      section: 'Packages',
      title: entry,
      description: `What ${entry} exports.`,
      markdown,
    }),
  )
  const all = [...pages, ...apiPages]
  for (const page of all) {
    const up = page.slug === '' ? 0 : page.slug.split('/').length - 1
    const pictureUrl = (path: string): string => {
      mkdirSync(pictures, { recursive: true })
      cpSync(join(repositoryRoot, path), join(pictures, basename(path)))
      return `${'../'.repeat(up + 1)}pictures/${basename(path)}`
    }
    const text = toSitePage(page, { pages: all, pictureUrl })
    write(join(content, `${page.slug || 'index'}.md`), text)
    write(join(here, 'public', markdownName(page)), toMarkdownPage(page, all))
  }
  cpSync(join(here, 'favicon.svg'), join(here, 'public/favicon.svg'))
  const prefix = base.replace(/\/?$/, '/')
  write(
    join(here, 'public/llms.txt'),
    llmsText(pages, page => `${prefix}${markdownName(page)}`),
  )
  write(join(here, 'public/llms-full.txt'), llmsFullText(pages))
  write(join(here, 'src/navigation.json'), `${JSON.stringify(toNavigation(pages, api), null, 2)}\n`)
  return { pages: all.length }
}

/** What is the same stays untouched: a server that watches it has nothing to do. */
function write(file: string, text: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

interface Item {
  readonly label: string
  readonly slug: string
  readonly attrs?: { readonly lang: string }
}
interface Group {
  readonly label: string
  readonly collapsed?: boolean
  readonly items: readonly (Item | Group)[]
}

const open: ReadonlySet<Section> = new Set(['Start', 'Concepts', 'Guides'])

function toNavigation(pages: readonly Page[], api: readonly ApiPage[]): readonly Group[] {
  return sections.map(section => {
    const members = pages.filter(page => page.section === section)
    const runbooks = members.filter(({ slug }) => slug.startsWith('runbooks'))
    const items: readonly (Item | Group)[] = [
      ...members.filter(page => !runbooks.includes(page)).map(toItem),
      ...(runbooks.length === 0 ? [] : [{ label: 'Runbooks', collapsed: true, items: runbooks.map(toItem) }]),
      ...(section === 'Packages' ? [apiGroup(api)] : []),
    ]
    return { label: section, collapsed: !open.has(section), items }
  })
}

function toItem({ slug, title }: Page): Item {
  if (slug === '') return { label: 'Overview', slug: 'index' }
  const label = title.replace(/^@stepwright\//, '')
  return slug.startsWith('ja/') ? { label, slug, attrs: { lang: 'ja' } } : { label, slug }
}

function apiGroup(api: readonly ApiPage[]): Group {
  const items = api.map(({ entry, slug }) => ({ label: entry.replace('@stepwright/', ''), slug }))
  return { label: 'API reference', collapsed: true, items }
}
