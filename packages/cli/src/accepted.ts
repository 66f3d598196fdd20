import type { AcceptedFinding } from '@stepwright/app'
import type { Finding } from '@stepwright/asl'
import { UsageError } from './io.ts'

/**
 * The findings without those that are accepted.
 * @throws UsageError if one that is accepted is not found any more, so that no excuse outlives its reason
 */
export function withoutAccepted(
  findings: readonly Finding[],
  accepted: readonly AcceptedFinding[],
  file: string,
): readonly Finding[] {
  for (const { rule, pointer, reason } of accepted) {
    if (reason.trim() === '') throw new UsageError(`${file}: accepting ${rule} at ${pointer} needs a reason.`)
    if (!findings.some(finding => finding.rule === rule && finding.pointer === pointer)) {
      throw new UsageError(
        `${file}: ${rule} at ${pointer} is accepted, but not found any more. Remove it from the config.`,
      )
    }
  }
  return findings.filter(
    finding => !accepted.some(({ rule, pointer }) => rule === finding.rule && pointer === finding.pointer),
  )
}
