import type { StandardSchemaV1 } from '@standard-schema/spec'
import { DataValidationError } from '@stepwright/errors'
import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod/mini'
import { type MapResult, type MapResults, mapResultsSchema, readMapResults } from './map-results.ts'
import type { ObjectStore } from './object-store.ts'
import { storeErrors } from './task-errors.ts'

/** How results become one value. It sees them one after the other, in the order of the files. */
export interface MapReducer<State, Output> {
  readonly initial: () => State
  /** May change the state and return it. */
  readonly add: (state: State, result: MapResult) => State | Promise<State>
  readonly finish: (state: State) => Output
  /** What `finish` returns. It becomes the state's payload: keep it small. */
  readonly output: StandardSchemaV1<Output>
}

export interface AggregateMapResultsInput {
  /** The Map's own result. */
  readonly mapResults: MapResults
}

export interface MapResultsPorts {
  readonly storeOf: (bucket: string | undefined) => Pick<ObjectStore, 'get'>
}

export interface MapCounts {
  readonly succeeded: number
  readonly failed: number
  readonly pending: number
  /** How many children failed with which error. */
  readonly errors: Readonly<Record<string, number>>
}

/** Reads the results that a Distributed Map wrote to S3, streamed, and reduces them; without a reducer, counts them. */
export function aggregateMapResults(): Task<AggregateMapResultsInput, MapCounts, MapResultsPorts>
export function aggregateMapResults<State, Output>(
  reducer: MapReducer<State, Output>,
): Task<AggregateMapResultsInput, Output, MapResultsPorts>
export function aggregateMapResults<State, Output>(
  reducer: MapReducer<State, Output> = countResults as unknown as MapReducer<State, Output>,
): Task<AggregateMapResultsInput, Output, MapResultsPorts> {
  return defineTask({
    name: 'aggregate-map-results',
    description: "Reads a Distributed Map's result files from S3, one result at a time, and sums them up.",
    idempotent: true,
    needs: {
      ports: { storeOf: "the object store of a bucket: of the ResultWriter's" },
      permissions: [{ actions: ['s3:GetObject'], on: 'the objects that the ResultWriter wrote' }],
    },
    input: z.object({ mapResults: mapResultsSchema }),
    output: reducer.output,
    errors: [DataValidationError, ...storeErrors],
    async run({ mapResults }, { storeOf }: MapResultsPorts, { signal }) {
      const { Bucket, Key } = mapResults.ResultWriterDetails
      let state = reducer.initial()
      for await (const result of readMapResults(storeOf(Bucket), Key, { signal })) {
        state = await reducer.add(state, result)
      }
      return reducer.finish(state)
    },
  })
}

interface Counting {
  readonly counts: Record<MapResult['status'], number>
  readonly errors: Map<string, number>
}

const count = /* @__PURE__ */ z.int().check(z.nonnegative())

const countResults: MapReducer<Counting, MapCounts> = {
  initial: () => ({ counts: { SUCCEEDED: 0, FAILED: 0, PENDING: 0 }, errors: new Map() }),
  add(state, result) {
    state.counts[result.status] += 1
    if (result.status === 'FAILED') {
      const name = result.error ?? 'Stopped'
      state.errors.set(name, (state.errors.get(name) ?? 0) + 1)
    }
    return state
  },
  finish: ({ counts, errors }) => ({
    succeeded: counts.SUCCEEDED,
    failed: counts.FAILED,
    pending: counts.PENDING,
    errors: Object.fromEntries(errors),
  }),
  output: /* @__PURE__ */ z.object({
    succeeded: count,
    failed: count,
    pending: count,
    errors: z.record(z.string(), count),
  }),
}
