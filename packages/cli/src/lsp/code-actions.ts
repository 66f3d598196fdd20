import { applyFixes, type Finding, fixWorkflow, type Source } from '@stepwright/asl'
import { checkOptionsOf } from '../check-file.ts'
import type { TargetWorkflow } from '../discover.ts'
import { findingsOf } from './diagnostics.ts'
import { type OpenMachine, offsetOf, type Range, toRange } from './document.ts'
import { lineEdits } from './line-edits.ts'
import type { TextEdit } from './text-edit.ts'

/** What can be done about the findings in a range: the name that was meant, and what `stepwright check --fix` does. */
export function codeActionsOf(
  machine: OpenMachine,
  range: Range | undefined,
  workflow: TargetWorkflow | undefined,
): readonly object[] {
  if (machine.source.broken) return []
  const all = findingsOf(machine, workflow)
  const here = all.filter(finding => range === undefined || touches(range, toRange(finding)))
  return [...here.flatMap(finding => meantName(machine, finding)), ...fixes(machine, here, all, workflow)]
}

/** Retry and Catch as the tasks say: of the findings here, and of the whole file. A template is not written to. */
function fixes(
  { uri, source, logicalId }: OpenMachine,
  here: readonly Finding[],
  all: readonly Finding[],
  workflow: TargetWorkflow | undefined,
): readonly object[] {
  if (logicalId !== undefined || !all.some(({ fix }) => fix !== undefined)) return []
  const own = here
    .filter(({ fix }) => fix !== undefined)
    .flatMap(finding => {
      const edits = lineEdits(source.text, applyFixes(source, [finding]))
      return edits.length === 0 ? [] : [toAction(`Fix: ${finding.message}`, uri, edits)]
    })
  const edits = lineEdits(source.text, fixAll(source, workflow))
  if (edits.length === 0) return own
  return [...own, toAction('Write Retry and Catch as the errors of the tasks say', uri, edits)]
}

/** Made once for each text: an editor asks at every move of the cursor. */
const fixed = new WeakMap<Source, string>()

function fixAll(source: Source, workflow: TargetWorkflow | undefined): string {
  const text =
    fixed.get(source) ?? fixWorkflow(source.text, { ...checkOptionsOf(workflow), file: source.file })
  fixed.set(source, text)
  return text
}

function meantName({ uri, source }: OpenMachine, finding: Finding): readonly object[] {
  const edit = replaceName(source, finding, toRange(finding))
  return edit === undefined ? [] : [toAction(`Write ${edit.newText}`, uri, [edit])]
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

function toAction(title: string, uri: string, edits: readonly TextEdit[]): object {
  return { title, kind: 'quickfix', edit: { changes: { [uri]: edits } } }
}
