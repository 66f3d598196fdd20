import type { Newline } from '../src/dialect/dialect.ts'

/** The dumbest CSV parser that is right: one character at a time, over the whole text. */
export function referenceRecords(text: string, delimiter: string, newline: Newline): string[][] {
  const lineEnd = newline === 'CR' ? '\r' : '\n'
  const records: string[][] = []
  let fields: string[] = []
  let field = ''
  let raw = ''
  let state: 'start' | 'plain' | 'quoted' | 'closed' = 'start'
  const endField = (): void => {
    fields.push(field)
    field = ''
    state = 'start'
  }
  for (const character of text + (text.endsWith(lineEnd) ? '' : lineEnd)) {
    if (state === 'quoted') {
      if (character === '"') state = 'closed'
      else field += character
      continue
    }
    if (state === 'closed' && character === '"') {
      field += '"'
      state = 'quoted'
      continue
    }
    if (character === lineEnd) {
      if (lineEnd === '\n' && field.endsWith('\r') && state === 'plain') field = field.slice(0, -1)
      const empty = fields.length === 0 && (raw === '' || (raw === '\r' && lineEnd === '\n'))
      endField()
      if (!empty) records.push(fields)
      fields = []
      raw = ''
      continue
    }
    raw += character
    if (character === delimiter) endField()
    else if (state === 'start' && character === '"') state = 'quoted'
    else if (!(state === 'closed' && character === '\r')) {
      state = 'plain'
      field += character
    }
  }
  return records
}
