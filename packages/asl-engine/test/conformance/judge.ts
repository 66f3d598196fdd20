import { compareHistory } from './compare-history.ts'
import type { Case, Corpus } from './corpus.ts'
import { judgeReplay } from './replay.ts'
import type { Result } from './report.ts'
import { judgeCreateError, judgeValidation } from './run-definition.ts'
import { runExecution } from './run-execution.ts'
import { judgeTestState, judgeTestStateError } from './run-test-state.ts'

/** Runs every case and says how it differs from the recording. */
export async function judgeAll(corpus: Corpus): Promise<Result[]> {
  const results: Result[] = []
  for (const recorded of corpus.executions) results.push(await judgeExecution(recorded, corpus))
  for (const recorded of corpus.testStates) results.push(await judgeTestState(recorded, corpus))
  for (const recorded of corpus.testStateErrors) results.push(await judgeTestStateError(recorded, corpus))
  results.push(...corpus.createErrors.map(judgeCreateError))
  results.push(...corpus.validations.map(recorded => judgeValidation(recorded, corpus.comparison)))
  return results
}

async function judgeExecution(recorded: Case, { comparison }: Corpus): Promise<Result> {
  const base = { name: recorded.name, family: recorded.family, tier: recorded.tier }
  try {
    const { outcome, history } = await runExecution(recorded, comparison)
    const { core, strict } = comparison.compareOutcome(recorded, outcome)
    if (recorded.expected.events === undefined) return { ...base, core, strict }
    const events = compareHistory(recorded, history, comparison)
    return { ...base, core, strict, events, replay: await judgeReplay(recorded, comparison) }
  } catch (error) {
    const problem = [`crash: ${error instanceof Error ? error.stack : String(error)}`]
    return { ...base, core: problem, strict: problem, events: problem }
  }
}
