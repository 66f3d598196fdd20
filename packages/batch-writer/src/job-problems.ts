import type { ChunkLedger } from './chunk-ledger.ts'

/** What a job must have come to. */
export interface ExpectedJob {
  /** In all chunks, those that are rejected included. */
  readonly rows: number
  readonly rejected: number
}

/**
 * What is wrong with a job, in sentences; none if the ledger accounts for every row once: none was lost, and none
 * counted twice. An invariant, for tests that do random things to an app and look after each of them.
 */
export async function findJobProblems(
  ledger: Pick<ChunkLedger, 'summarize'>,
  jobId: string,
  { rows, rejected }: ExpectedJob,
): Promise<readonly string[]> {
  const { counts } = await ledger.summarize(jobId)
  const { received, inserted, updated, unchanged, duplicates } = counts
  const problems: string[] = []
  if (received !== rows) problems.push(`${jobId}: ${received} of ${rows} rows were received`)
  if (counts.rejected !== rejected) {
    problems.push(`${jobId}: ${counts.rejected} rows were rejected instead of ${rejected}`)
  }
  const accounted = inserted + updated + unchanged + duplicates + counts.rejected
  if (accounted !== received) {
    problems.push(`${jobId}: ${received} rows were received, and ${accounted} accounted for`)
  }
  return problems
}
