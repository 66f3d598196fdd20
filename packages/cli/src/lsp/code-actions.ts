import { type Finding, fixWorkflow, type Source } from '@stepwright/asl'
import { checkOptionsOf } from '../check-file.ts'
import type { TargetWorkflow } from '../discover.ts'
import { findingsOf } from './diagnostics.ts'
import { type OpenDocument, offsetOf, type Range, toRange, wholeRange } from './document.ts'
import type { TextEdit } from './text-edit.ts'

/** What can be done about the findings in a range: the name that was meant, and what `stepwright check --fix` does. */
export function codeActionsOf(
  document: OpenDocument,
  range: Range | undefined,
  workflow: TargetWorkflow | undefined,
): readonly object[] {
  if (document.source.broken) return []
  return [...meantNames(document, range, workflow), ...fixes(document, workflow)]
}

function fixes({ uri, source }: OpenDocument, workflow: TargetWorkflow | undefined): readonly object[] {
  const fixed = fixWorkflow(source.text, { ...checkOptionsOf(workflow), file: source.file })
  if (fixed === source.text) return []
  const edit = { range: wholeRange(source), newText: fixed }
  return [toAction('Write Retry and Catch as the errors of the tasks say', uri, edit)]
}

function meantNames(
  { uri, source }: OpenDocument,
  range: Range | undefined,
  workflow: TargetWorkflow | undefined,
): readonly object[] {
  return findingsOf(source, workflow).flatMap(finding => {
    const place = toRange(finding)
    const edit =
      range === undefined || touches(range, place) ? replaceName(source, finding, place) : undefined
    return edit === undefined ? [] : [toAction(`Write ${edit.newText}`, uri, edit)]
  })
}

/** Puts a name in the place of a misspelt one, where that is all that stands there. */
function replaceName(source: Source, { suggestion = '' }: Finding, range: Range): TextEdit | undefined {
  const [, meant] = /^Did you mean "([\w.-]+)"\?$/.exec(suggestion) ?? []
  const written = source.text.slice(offsetOf(source, range.start), offsetOf(source, range.end))
  const [, quote, name] = /^(["']?)([\w.-]+)\1$/.exec(written) ?? []
  if (meant === undefined || name === undefined) return undefined
  return { range, newText: `${quote}${meant}${quote}` }
}

function touches(a: Range, b: Range): boolean {
  const isBefore = (one: Range['start'], other: Range['start']): boolean =>
    one.line < other.line || (one.line === other.line && one.character < other.character)
  return !isBefore(a.end, b.start) && !isBefore(b.end, a.start)
}

function toAction(title: string, uri: string, edit: TextEdit): object {
  return { title, kind: 'quickfix', edit: { changes: { [uri]: [edit] } } }
}
