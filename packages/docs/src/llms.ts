import { type Page, sections } from './pages.ts'

/** Sections whose pages are many and of use to few: only their first page is named. */
const brief: ReadonlySet<string> = new Set(['Rules', 'Decisions'])

/** A short map of the documents for language models, in the form of llmstxt.org. */
export function llmsText(pages: readonly Page[], toUrl: (page: Page) => string): string {
  const [front] = pages
  const groups = sections.map(section => {
    const members = pages.filter(page => page.section === section && page !== front)
    const named = brief.has(section) ? members.slice(0, 1) : members
    return `## ${section}\n\n${named.map(page => lineOf(page, toUrl(page))).join('\n')}`
  })
  return `# ${front?.title}\n\n> ${front?.description}\n\n${groups.join('\n\n')}\n`
}

function lineOf({ title, description }: Page, url: string): string {
  const [sentence = ''] = /^.*?(?:[.:](?=\s|$)|。)/.exec(description) ?? [description]
  return `- [${title}](${url})${sentence === '' ? '' : `: ${sentence.replace(/[:]$/, '.')}`}`
}

/** The pages themselves, one after the other; decisions and runbooks apart. */
export function llmsFullText(pages: readonly Page[]): string {
  return pages
    .filter(({ section, source }) => section !== 'Decisions' && !source.startsWith('docs/runbooks/'))
    .map(({ source, markdown }) => `<!-- ${source} -->\n\n${markdown.trim()}\n`)
    .join('\n')
}
