import { describe, expect, it } from 'vitest'
import { anchorsOf, codeBlocksOf, linksOf, outlineOf } from './markdown.ts'

const page = `# A \`page\`

First [words](a.md), and more.

## Two words

- a list:

  \`\`\`ts wrap
  const [x](not-a-link)
    indented
  \`\`\`

\`[no](link.md)\` but [one](b.md#two-words).

## Two words
`

describe('codeBlocksOf', () => {
  it('finds blocks, also in lists, without their indentation', () => {
    expect(codeBlocksOf(page)).toEqual([
      { language: 'ts', meta: 'wrap', code: 'const [x](not-a-link)\n  indented\n', line: 9 },
    ])
  })
})

describe('linksOf', () => {
  it('finds links in prose, and none in code', () => {
    const links = linksOf(page)
    expect(links.map(({ target }) => target)).toEqual(['a.md', 'b.md#two-words'])
    for (const { target, index } of links) expect(page.slice(index).startsWith(target)).toBe(true)
  })
})

describe('anchorsOf', () => {
  it('counts headings of one name', () => {
    expect([...anchorsOf(page)]).toEqual(['a-page', 'two-words', 'two-words-1'])
  })
})

describe('outlineOf', () => {
  it('takes the title from the heading and the description from the first paragraph', () => {
    expect(outlineOf(page)).toMatchObject({ title: 'A page', description: 'First words, and more.' })
    expect(outlineOf(page).body).toMatch(/^First \[words\]/)
  })
})
