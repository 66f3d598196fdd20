import { describe, expect, it } from 'vitest'
import { llmsFullText, llmsText } from './llms.ts'
import { readPages } from './pages.ts'
import { repositoryRoot } from './repository.ts'

const pages = readPages(repositoryRoot)
const text = llmsText(pages, ({ slug }) => `/${slug}.md`)

describe('llmsText', () => {
  it('has the form of llms.txt: a title, a summary, sections of links', () => {
    const [title, , summary] = text.split('\n')
    expect(title).toBe('# Stepwright')
    expect(summary).toMatch(/^> Reusable task handlers/)
    for (const line of text.split('\n').slice(3))
      expect(line).toMatch(/^$|^## .+$|^- \[.+\]\(\/\S+\.md\)(: .+)?$/)
  })

  it('names every guide and package, and fits into a small context', () => {
    const named = pages.filter(({ section }) => section === 'Guides' || section === 'Packages')
    for (const { slug } of named) expect(text).toContain(`(/${slug}.md)`)
    expect(text.length).toBeLessThan(20_000)
  })
})

describe('llmsFullText', () => {
  it('has the pages themselves, each with its file', () => {
    const full = llmsFullText(pages)
    expect(full).toContain('<!-- docs/error-contract.md -->\n\n# The error contract')
    expect(full).not.toContain('docs/adr/0001')
  })
})
