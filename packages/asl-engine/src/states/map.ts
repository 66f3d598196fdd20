import type { ItemProcessor, MapState, SubMachine } from '@stepwright/asl'
import type { StandIn } from '../execution/state-observer.ts'
import { record, type Thread } from '../execution/thread.ts'
import type { StateFailure } from '../failures/state-failure.ts'
import { compileFlow } from '../flow/compile-flow.ts'
import type { Exit } from '../flow/flow.ts'
import type { Json } from '../json.ts'
import { runDistributed, thresholdFailure } from '../map/distributed.ts'
import { iterationEvents, runInline } from '../map/inline.ts'
import { type ChildInputs, compileBatcher } from '../map/item-batcher.ts'
import { compileItemSelector, compileItems, itemOf, plainItems } from '../map/items.ts'
import { compileItemReader } from '../map/reader/item-reader.ts'
import { compileResultWriter } from '../map/result-writer.ts'
import { compileMaxConcurrency, compileTolerance, isExceeded, type Tolerance } from '../map/settings.ts'
import { isPromise } from '../maybe-promise.ts'
import {
  type CompileContext,
  type CompiledState,
  type CompileMachine,
  compiledState,
  languageOf,
} from './compiled-state.ts'
import { compileHandling, type GiveUp, withHandling } from './error-handling.ts'

export function compileMap(
  name: string,
  state: MapState,
  context: CompileContext,
  compileMachine: CompileMachine,
): CompiledState {
  const language = languageOf(state, context)
  // In a Map, Parameters is the older name of ItemSelector, not of what the state is given.
  const { Parameters: _itemSelector, ...flowFields } = state
  const flow = compileFlow(language, flowFields, state.Next)
  const run = compileRun(name, state, context, compileMachine)

  const attempt = async (thread: Thread, input: Json): Promise<Exit> => {
    const effective = await flow.prepare(thread, input)
    const result = await run(thread, effective)
    return flow.finish(thread, input, result)
  }
  const handling = compileHandling(state, language, attempt)
  return compiledState(name, 'Map', withHandling(handling, recordFailure), handling)
}

const recordFailure: GiveUp = (thread, failure: StateFailure) => {
  if (!failure.terminal || failure.error !== 'States.Runtime') record(thread, 'MapStateFailed')
}

type RunMap = (thread: Thread, input: Json) => Promise<Json>

function compileRun(
  name: string,
  state: MapState,
  context: CompileContext,
  compileMachine: CompileMachine,
): RunMap {
  const language = languageOf(state, context)
  const definition = (state.ItemProcessor ?? state.Iterator) as SubMachine & ItemProcessor
  const processor = compileMachine(definition, { language: definition.QueryLanguage ?? context.language })
  const maxConcurrencyOf = compileMaxConcurrency(state, language)
  const selectItem = compileItemSelector(state, language)
  const mode = definition.ProcessorConfig?.Mode === 'DISTRIBUTED' ? 'DISTRIBUTED' : 'INLINE'
  const itemsOf = compileItems(state, language, mode)
  if (definition.ProcessorConfig?.Mode !== 'DISTRIBUTED') {
    const map = { events: iterationEvents(name), processor, selectItem }
    return async (thread, input) => {
      const items = await itemsOf(thread, input)
      const maxConcurrency = (await maxConcurrencyOf(thread, input)) ?? 0
      const standIn = thread.execution.observer?.standIn
      if (standIn !== undefined) return answerFor(standIn, items.values, undefined)
      record(thread, 'MapStateStarted', { length: items.values.length })
      return runInline(map, thread, input, items, maxConcurrency)
    }
  }
  const readItems = state.ItemReader === undefined ? undefined : compileItemReader(state.ItemReader, language)
  const batch = compileBatcher(state.ItemBatcher, language)
  const openSink = compileResultWriter(state.ResultWriter, language)
  const toleranceOf = compileTolerance(state, language)
  const map = {
    name,
    label: state.Label ?? name.replaceAll(/[^\w-]/g, '').slice(0, 40),
    processor,
    executionType: definition.ProcessorConfig.ExecutionType ?? 'STANDARD',
  }
  return async (thread, input) => {
    const standIn = thread.execution.observer?.standIn
    const list = readItems === undefined ? await itemsOf(thread, input) : undefined
    const maxConcurrency = (await maxConcurrencyOf(thread, input)) ?? 0
    if (standIn !== undefined)
      return answerFor(
        standIn,
        list?.values ?? standIn.readItems ?? [],
        await toleranceOf(thread, input),
        state.ItemBatcher !== undefined,
      )
    record(thread, 'MapStateStarted', { length: list?.values.length ?? 0 })
    const tolerance = await toleranceOf(thread, input)
    const { execution } = thread
    const before = thread.replay?.peek('MapRunStarted')
    const mapRunArn =
      (before?.details?.['mapRunArn'] as string | undefined) ??
      `${execution.identity.stateMachineArn.replace(':stateMachine:', ':mapRun:')}/${map.label}:${execution.engine.chance.uuid()}`
    const startedId = record(thread, 'MapRunStarted', { mapRunArn })
    const redriveCount = before !== undefined && thread.replay?.redriven ? execution.redriveCount : 0
    if (redriveCount > 0) record(thread, 'MapRunRedriven', { mapRunArn, redriveCount })
    const startMs = before?.timestampMs ?? execution.engine.clock.now()
    const chunks = list === undefined ? (readItems?.(thread, input) ?? []) : [list]
    async function* selected(): AsyncGenerator<ChildInputs> {
      let first = 0
      for await (const chunk of chunks) {
        if (selectItem === undefined) yield { inputs: plainItems(chunk) }
        else {
          const items: Json[] = []
          for (let at = 0; at < chunk.values.length; at += 1) {
            const item = selectItem(thread, input, itemOf(chunk, at, first + at))
            items.push(isPromise(item) ? await item : item)
          }
          yield { inputs: items }
        }
        first += chunk.values.length
      }
    }
    const sink = await openSink(thread, input, mapRunArn)
    const children = batch === undefined ? selected() : batch(thread, input, selected())
    return runDistributed(map, thread, {
      startMs,
      redriveCount,
      mapRunArn,
      startedId,
      children,
      maxConcurrency,
      tolerance,
      sink,
    })
  }
}

/** TestState holds a mocked Map to its tolerance only where it declares one. */
function answerFor(
  standIn: StandIn,
  items: readonly Json[],
  tolerance: Tolerance | undefined,
  isBatched = false,
): Json {
  const declares = tolerance?.count !== undefined || tolerance?.percentage !== undefined
  if (tolerance !== undefined && declares && isExceeded(tolerance, standIn.failedIterations, items.length)) {
    throw thresholdFailure()
  }
  if (!isBatched) standIn.expectInputs(items.length)
  return standIn.answer()
}
