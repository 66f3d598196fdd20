import { checkWorkflow, type Finding, type Source } from '@stepwright/asl'
import { withoutAccepted } from '../accepted.ts'
import { checkOptionsOf } from '../check-file.ts'
import type { TargetWorkflow } from '../discover.ts'
import { type OpenMachine, toRange } from './document.ts'

const severities = { error: 1, warning: 2, info: 3 } as const

/** What the checker finds, as diagnostics. */
export function diagnosticsOf(machine: OpenMachine, workflow: TargetWorkflow | undefined): readonly object[] {
  return findingsOf(machine, workflow).map(({ rule, severity, message, suggestion, ...place }) => ({
    range: toRange(place),
    severity: severities[severity],
    source: 'stepwright',
    code: rule,
    message: suggestion === undefined ? message : `${message}\n${suggestion}`,
  }))
}

/** Found once for each text. */
const known = new WeakMap<Source, readonly Finding[]>()

/** What the checker finds, without what the project accepts. */
export function findingsOf(
  { source, type }: OpenMachine,
  workflow: TargetWorkflow | undefined,
): readonly Finding[] {
  const before = known.get(source)
  if (before !== undefined) return before
  const all = checkWorkflow(source, checkOptionsOf(workflow, type))
  const findings = withoutAccepted(all, workflow?.accept ?? [], source.file)
  known.set(source, findings)
  return findings
}
