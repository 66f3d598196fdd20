import { fixWorkflow } from '@stepwright/asl'
import { checkOptionsOf } from '../check-file.ts'
import type { TargetWorkflow } from '../discover.ts'
import { type OpenDocument, wholeRange } from './document.ts'

/** What `stepwright check --fix` would do. */
export function codeActionsOf(
  { uri, source }: OpenDocument,
  workflow: TargetWorkflow | undefined,
): readonly object[] {
  const fixed = source.broken
    ? source.text
    : fixWorkflow(source.text, { ...checkOptionsOf(workflow), file: source.file })
  if (fixed === source.text) return []
  return [
    {
      title: 'Write Retry and Catch as the errors of the tasks say',
      kind: 'quickfix',
      edit: { changes: { [uri]: [{ range: wholeRange(source), newText: fixed }] } },
    },
  ]
}
