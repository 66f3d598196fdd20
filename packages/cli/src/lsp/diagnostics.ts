import { checkWorkflow, type Finding, type Source } from '@stepwright/asl'
import { withoutAccepted } from '../accepted.ts'
import { checkOptionsOf } from '../check-file.ts'
import type { TargetWorkflow } from '../discover.ts'
import { type OpenDocument, toRange } from './document.ts'

const severities = { error: 1, warning: 2, info: 3 } as const

/** What the checker finds, as diagnostics. */
export function diagnosticsOf(
  { source }: OpenDocument,
  workflow: TargetWorkflow | undefined,
): readonly object[] {
  return findingsOf(source, workflow).map(({ rule, severity, message, suggestion, ...place }) => ({
    range: toRange(place),
    severity: severities[severity],
    source: 'stepwright',
    code: rule,
    message: suggestion === undefined ? message : `${message}\n${suggestion}`,
  }))
}

/** What the checker finds, without what the project accepts. */
export function findingsOf(source: Source, workflow: TargetWorkflow | undefined): readonly Finding[] {
  return withoutAccepted(checkWorkflow(source, checkOptionsOf(workflow)), workflow?.accept ?? [], source.file)
}
