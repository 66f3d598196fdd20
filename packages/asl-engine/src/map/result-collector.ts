import type { Thread } from '../execution/thread.ts'
import { dataLimitFailure } from '../failures/state-failure.ts'
import { exceedsBytes, type Json } from '../json.ts'
import { type ResultSink, shapeResult, type Transformation } from './child-result.ts'

/** The results as the Map's output, in the order of the items, as far as a payload may go. */
export function createCollector(thread: Thread, transformation: Transformation): ResultSink {
  const { payloadBytes } = thread.execution.engine.limits
  const results: (readonly Json[])[] = []
  let bytes = 0
  return {
    isWriter: false,
    add: (child, ending) => {
      const isShown = transformation === 'NONE' || ending.output !== undefined
      if (!isShown || bytes > payloadBytes) return
      const shaped = shapeResult(child, ending, transformation)
      for (const value of shaped) bytes += JSON.stringify(value).length + 1
      results[child.index] = shaped
    },
    finish: async () => {
      const output = results.flat(1)
      if (bytes > payloadBytes || exceedsBytes(output, payloadBytes)) throw dataLimitFailure(thread.stateName)
      return output
    },
  }
}
