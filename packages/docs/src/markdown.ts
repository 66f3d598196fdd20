/** A fenced block of code. */
export interface CodeBlock {
  /** `ts`; empty where the fence names none. */
  readonly language: string
  /** What follows the language on the fence's line. */
  readonly meta: string
  /** Without the indentation of its fence. */
  readonly code: string
  /** Of the fence, 1-based. */
  readonly line: number
}

const fence = /^( *)```([^\s`]*)[^\S\n]*([^`\n]*)\n(.*?)^\1```[^\S\n]*$/gms

export function codeBlocksOf(markdown: string): readonly CodeBlock[] {
  return [...markdown.matchAll(fence)].map(match => {
    const [, indent = '', language = '', meta = '', code = ''] = match
    return {
      language,
      meta: meta.trim(),
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      line: markdown.slice(0, match.index).split('\n').length,
    }
  })
}

/** Prose alone: code, in blocks and in lines, is blanked out, every other character keeps its place. */
function withoutCode(markdown: string): string {
  const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ')
  return markdown.replaceAll(fence, blank).replaceAll(/(`+)[^`\n](?:.*?[^`\n])?\1(?!`)/g, blank)
}

/** `[text](target)`, pictures too. */
export interface MarkdownLink {
  readonly target: string
  /** Where the target begins in the text. */
  readonly index: number
}

export function linksOf(markdown: string): readonly MarkdownLink[] {
  return [...withoutCode(markdown).matchAll(/\]\((?<target>[^()\s]+)\)/g)].map(({ groups, index }) => ({
    target: groups?.['target'] ?? '',
    index: index + 2,
  }))
}

/** The anchors of its headings, as Git hosts and the site make them. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const [, text = ''] of blankBlocks(markdown).matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const slug = toAnchor(text)
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`
    anchors.add(anchor)
  }
  return anchors
}

function blankBlocks(markdown: string): string {
  return markdown.replaceAll(fence, '')
}

function toAnchor(heading: string): string {
  return toPlainText(heading)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-')
}

/** Without links, code marks and emphasis. */
function toPlainText(markdown: string): string {
  return markdown
    .replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/`([^`]*)`/g, '$1')
    .replaceAll(/\*\*([^*]+)\*\*/g, '$1')
    .replaceAll('\\', '')
}

/** The title is the first heading; the description the first paragraph that is prose. */
export function outlineOf(markdown: string): { title: string; description: string; body: string } {
  const [heading = '', text = ''] = /^# +(.+?) *$/m.exec(markdown) ?? []
  const body = markdown.slice(markdown.indexOf(heading) + heading.length).replace(/^\n+/, '')
  const paragraph = blankBlocks(body)
    .split(/\n{2,}/)
    .find(each => each.trim() !== '' && !/^\s*([#|<!-]|\d+\.|Status: )/.test(each))
  return {
    title: toPlainText(text),
    description: toPlainText(paragraph ?? '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
    body,
  }
}
