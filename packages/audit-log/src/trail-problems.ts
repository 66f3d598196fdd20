import type { AuditLog } from './audit-log.ts'
import type { ItemRange } from './item-range.ts'

/**
 * What is wrong with a trail, in sentences; none if it verifies, and every item has an entry: one for each attempt. An
 * invariant, for tests that do random things to an app and look after each of them.
 */
export async function findTrailProblems(
  log: Pick<AuditLog, 'verify' | 'entries'>,
  executionId: string,
  { first, count }: ItemRange,
): Promise<readonly string[]> {
  const verified = await log.verify(executionId)
  const problems = verified.ok ? [] : [`${executionId}: ${verified.problem.message}`]
  const attempts = new Set<string>()
  const items = new Set<number>()
  for await (const { itemIndex, attempt } of log.entries({ executionId })) {
    const name = `item ${itemIndex}, attempt ${attempt}`
    if (attempts.has(name)) problems.push(`${executionId}: ${name} has two entries`)
    attempts.add(name)
    items.add(itemIndex)
  }
  for (let item = first; item < first + count; item += 1) {
    if (!items.has(item)) problems.push(`${executionId}: item ${item} has no entry`)
  }
  if (verified.ok && verified.entries !== attempts.size) {
    problems.push(
      `${executionId}: ${verified.entries} entries were verified, and ${attempts.size} can be read`,
    )
  }
  return problems
}
