import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { outlineOf } from './markdown.ts'

/** A page of the site, made of one Markdown file. */
export interface Page {
  /** Its file, from the root of the repository. */
  readonly source: string
  /** Its address on the site, without slashes at its ends; empty for the front page. */
  readonly slug: string
  readonly section: Section
  readonly title: string
  /** Its first sentences, as plain text. */
  readonly description: string
  /** The whole file. */
  readonly markdown: string
}

export type Section = (typeof sections)[number]

/** In the order of the site's navigation. */
export const sections = [
  'Start',
  'Concepts',
  'Guides',
  'Packages',
  'Rules',
  'Operation',
  'Apps',
  'Decisions',
  'Working on it',
] as const

/** Where files belong that their folder does not place. In the order in which they are shown. */
const places: Readonly<Record<string, Section>> = {
  'README.md': 'Start',
  'docs/tutorial.md': 'Start',
  'docs/ja/getting-started.md': 'Start',
  'docs/error-contract.md': 'Concepts',
  'docs/concepts/exactly-once.md': 'Concepts',
  'docs/concepts/idempotency.md': 'Concepts',
  'docs/concepts/jobs.md': 'Concepts',
  'docs/concepts/audit.md': 'Concepts',
  'docs/architecture.md': 'Concepts',
  'docs/guides/import-a-large-csv.md': 'Guides',
  'docs/guides/retry-without-repeating.md': 'Guides',
  'docs/guides/cancel-a-long-job.md': 'Guides',
  'docs/guides/prove-an-audit-trail.md': 'Guides',
  'docs/testing-without-aws.md': 'Guides',
  'docs/guides/write-an-adapter.md': 'Guides',
  'docs/guides/from-step-functions-local.md': 'Guides',
  'docs/guides/from-powertools-idempotency.md': 'Guides',
  'docs/guides/asl-or-durable-functions.md': 'Guides',
  'docs/handlers.md': 'Packages',
  'docs/deploying.md': 'Operation',
  'docs/publishing.md': 'Operation',
  'docs/threat-model.md': 'Operation',
  'SECURITY.md': 'Operation',
  'CONTRIBUTING.md': 'Working on it',
  'docs/asl-conformance.md': 'Working on it',
  'docs/figures.md': 'Working on it',
}

const folders: readonly (readonly [prefix: string, section: Section])[] = [
  ['docs/concepts/', 'Concepts'],
  ['docs/guides/', 'Guides'],
  ['docs/rules/', 'Rules'],
  ['packages/asl/docs/rules/', 'Rules'],
  ['docs/runbooks/', 'Operation'],
  ['docs/adr/', 'Decisions'],
  ['docs/fast/', 'Working on it'],
  ['packages/', 'Packages'],
  ['apps/', 'Apps'],
  ['docs/', 'Guides'],
]

/** All pages, in the order of the navigation. A new file in `docs/` is a page without being named anywhere. */
export function readPages(root: string): readonly Page[] {
  const found = globSync(
    [
      '{README,CONTRIBUTING,SECURITY}.md',
      'docs/**/*.md',
      '{packages,apps}/*/README.md',
      'packages/asl/docs/rules/*.md',
    ],
    { cwd: root, exclude: ['docs/site/**', 'packages/asl/docs/rules/README.md'] },
  ).filter(file => !isPrivatePackage(root, file))
  const rank = (file: string) => {
    const placed = Object.keys(places).indexOf(file)
    return [
      sections.indexOf(sectionOf(file)),
      placed === -1 ? Number.MAX_SAFE_INTEGER : placed,
      isIndex(file) ? 0 : 1,
    ]
  }
  return found
    .toSorted((a, b) => compare(rank(a), rank(b)) || (a < b ? -1 : 1))
    .map(file => readPage(root, file))
}

function readPage(root: string, source: string): Page {
  const markdown = readFileSync(join(root, source), 'utf8')
  const { title, description } = outlineOf(markdown)
  return { source, slug: slugOf(source), section: sectionOf(source), title, description, markdown }
}

/** Packages that are not published are of no use to readers of the site, apart from the apps. */
function isPrivatePackage(root: string, file: string): boolean {
  if (!/^packages\/[^/]+\/README\.md$/.test(file)) return false
  return JSON.parse(readFileSync(join(root, file, '../package.json'), 'utf8')).private === true
}

function sectionOf(source: string): Section {
  return places[source] ?? folders.find(([prefix]) => source.startsWith(prefix))?.[1] ?? 'Working on it'
}

function isIndex(source: string): boolean {
  return basename(source) === 'README.md' && source.startsWith('docs/')
}

function slugOf(source: string): string {
  return source
    .replace(/\.md$/, '')
    .replace(/^packages\/asl\/docs\//, '')
    .replace(/^docs\//, '')
    .replace(/(^|\/)README$/, '')
    .toLowerCase()
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) if (value !== b[index]) return value - (b[index] ?? 0)
  return 0
}
