import type { ParallelState } from '@stepwright/asl'
import { runMachine } from '../execution/run-machine.ts'
import { forkThread, record, recordAfter, type Thread } from '../execution/thread.ts'
import { Interrupted } from '../failures/state-failure.ts'
import { compileFlow } from '../flow/compile-flow.ts'
import type { Exit } from '../flow/flow.ts'
import type { Json } from '../json.ts'
import { createCancellation } from '../time/cancellation.ts'
import {
  type CompileContext,
  type CompiledMachine,
  type CompiledState,
  type CompileMachine,
  compiledState,
  languageOf,
} from './compiled-state.ts'
import { compileHandling, withHandling } from './error-handling.ts'

export function compileParallel(
  name: string,
  state: ParallelState,
  context: CompileContext,
  compileMachine: CompileMachine,
): CompiledState {
  const language = languageOf(state, context)
  const flow = compileFlow(language, state, state.Next)
  const branches = state.Branches.map(branch =>
    compileMachine(branch, { language: branch.QueryLanguage ?? context.language }),
  )

  const attempt = async (thread: Thread, input: Json): Promise<Exit> => {
    const argument = await flow.prepare(thread, input)
    const standIn = thread.execution.observer?.standIn
    const results = standIn === undefined ? await runBranches(thread, branches, argument) : standIn.answer()
    return flow.finish(thread, input, results)
  }
  const handling = compileHandling(state, language, attempt)
  const work = withHandling(handling, thread => record(thread, 'ParallelStateFailed'))
  return compiledState(name, 'Parallel', work, handling)
}

const abortedTypes = new Set(['Task', 'Wait', 'Map', 'Parallel'])

async function runBranches(
  thread: Thread,
  branches: readonly CompiledMachine[],
  input: Json,
): Promise<readonly Json[]> {
  const startedId = record(thread, 'ParallelStateStarted')
  const cancellation = createCancellation(thread.cancellation)
  const threads = branches.map((_branch, index) =>
    forkThread(thread, cancellation, `${startedId}.${index}`, startedId),
  )
  let firstFailure: { readonly error: unknown; readonly thread: Thread } | undefined

  const outcomes = branches.map(async (branch, index) => {
    const branchThread = threads[index] as Thread
    try {
      return await runMachine(branch, branchThread, input)
    } catch (error) {
      if (firstFailure === undefined && !(error instanceof Interrupted)) {
        firstFailure = { error, thread: branchThread }
      }
      if (abortedTypes.has(branchThread.stateType)) {
        recordAfter(branchThread, branchThread.lastEventId, `${branchThread.stateType}StateAborted`)
      }
      cancellation.cancel()
      return null
    }
  })
  const results = await Promise.all(outcomes)
  cancellation.detach()
  if (firstFailure !== undefined) {
    thread.lastEventId = firstFailure.thread.lastEventId
    throw firstFailure.error
  }
  if (thread.cancellation.cancelled) throw new Interrupted()
  thread.lastEventId = Math.max(...threads.map(branch => branch.lastEventId))
  recordAfter(thread, thread.lastEventId, 'ParallelStateSucceeded')
  return results
}
