import type { ItemBatcher, QueryLanguage } from '@stepwright/asl'
import { scopeOf, type Thread } from '../execution/thread.ts'
import { compileJsonata } from '../expressions/jsonata-template.ts'
import { compileTemplate } from '../expressions/template.ts'
import { runtimeFailure } from '../failures/state-failure.ts'
import { jsonataScope } from '../flow/jsonata-flow.ts'
import type { Json } from '../json.ts'
import { compileNumber } from './settings.ts'

/** What some child executions are given. */
export interface ChildInputs {
  readonly inputs: readonly Json[]
  /** How many items each is; one, if absent. */
  readonly itemCounts?: readonly number[]
}

export type Batch = (
  thread: Thread,
  input: Json,
  items: AsyncIterable<ChildInputs>,
) => AsyncGenerator<ChildInputs>

/** Groups items into the inputs of child executions; without a batcher each item is one. */
export function compileBatcher(batcher: ItemBatcher | undefined, language: QueryLanguage): Batch | undefined {
  if (batcher === undefined) return undefined
  const maxItemsOf = compileNumber({
    field: 'MaxItemsPerBatch',
    literal: batcher.MaxItemsPerBatch,
    path: batcher.MaxItemsPerBatchPath,
    language,
    kind: 'integer',
  })
  const maxBytesOf = compileNumber({
    field: 'MaxInputBytesPerBatch',
    literal: batcher.MaxInputBytesPerBatch,
    path: batcher.MaxInputBytesPerBatchPath,
    language,
    kind: 'integer',
  })
  const batchInput = compileBatchInput(batcher.BatchInput, language)
  return async function* batch(thread, input, items) {
    const maxItems = (await maxItemsOf(thread, input)) || Number.POSITIVE_INFINITY
    const { payloadBytes } = thread.execution.engine.limits
    const maxBytes = Math.min((await maxBytesOf(thread, input)) || payloadBytes, payloadBytes)
    if (maxItems < 0) throw runtimeFailure('MaxItemsPerBatch cannot be negative.')
    if (maxBytes < 0) throw runtimeFailure('MaxInputBytesPerBatch cannot be negative.')
    const shared = await batchInput(thread, input)
    const wrap = (list: readonly Json[]): Json =>
      shared === undefined ? { Items: list } : { BatchInput: shared, Items: list }
    const frame = Buffer.byteLength(JSON.stringify(wrap([])))
    let list: Json[] = []
    let bytes = frame
    for await (const { inputs: some } of items) {
      const inputs: Json[] = []
      const itemCounts: number[] = []
      for (const item of some) {
        const size = Buffer.byteLength(JSON.stringify(item)) + 1
        if (list.length > 0 && (list.length >= maxItems || bytes + size > maxBytes)) {
          inputs.push(wrap(list))
          itemCounts.push(list.length)
          list = []
          bytes = frame
        }
        list.push(item)
        bytes += size
      }
      yield { inputs, itemCounts }
    }
    if (list.length > 0) yield { inputs: [wrap(list)], itemCounts: [list.length] }
  }
}

function compileBatchInput(
  template: Json | undefined,
  language: QueryLanguage,
): (thread: Thread, input: Json) => Promise<Json | undefined> {
  if (template === undefined) return async () => undefined
  if (language === 'JSONata') {
    const evaluate = compileJsonata(template, 'ItemBatcher/BatchInput')
    return async (thread, input) => evaluate(jsonataScope(thread, input))
  }
  const evaluate = compileTemplate(template)
  return async (thread, input) => evaluate(scopeOf(thread, input))
}
