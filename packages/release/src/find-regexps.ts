import { parseSync } from 'oxc-parser'

export interface FoundRegExp {
  readonly pattern: string
  readonly flags: string
  /** From 1. */
  readonly line: number
}

interface Node {
  readonly type?: string
  readonly start?: number
  readonly regex?: { readonly pattern: string; readonly flags: string }
}

/** The regular expressions that a source spells out. */
export function findRegExps(file: string, text: string): readonly FoundRegExp[] {
  const found: FoundRegExp[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { type, start = 0, regex } = value as Node
    if (type === 'Literal' && regex) found.push({ ...regex, line: text.slice(0, start).split('\n').length })
    else for (const child of Object.values(value)) visit(child)
  }
  visit(parseSync(file, text).program)
  return found
}
