import jsonata from 'jsonata'
import { hash, partition } from '../intrinsics/functions.ts'
import { isArray, type Json } from '../json.ts'
import { javaRandom } from './java-random.ts'
import { JsonataLimitError, maxElements } from './jsonata-guards.ts'
import type { Chance } from './scope.ts'

/** `$now()` by the engine's clock, in every format that JSONata knows. */
const now = jsonata('$fromMillis($millis, $picture, $timezone)')

/** The functions that Step Functions adds to JSONata or has its own way with. */
export function jsonataFunctions(chance: Chance, nowMs: () => number): Record<string, unknown> {
  return {
    partition: (items?: readonly Json[], size?: number) =>
      items === undefined || size === undefined
        ? undefined
        : partition(isArray(items) ? items : [items], Math.trunc(size)),
    range,
    hash: (data: Json | undefined, algorithm: string) =>
      data === undefined ? undefined : hash(data, algorithm),
    random: (seed?: number) => (seed === undefined ? chance.random() : javaRandom(seed)),
    uuid: () => chance.uuid(),
    parse: (text: string | undefined) => (text === undefined ? undefined : JSON.parse(text)),
    millis: () => nowMs(),
    now: (picture?: string, timezone?: string) =>
      now.evaluate(undefined, { millis: nowMs(), picture, timezone }),
    // There is none: JSONata then says that it is not a function (T1006).
    eval: undefined,
  }
}

/** A single number is no list, as everywhere in JSONata. */
function range(from: number, to: number, by: number): number | number[] {
  const [first, last, step] = [Math.trunc(from), Math.trunc(to), Math.trunc(by)]
  if (step === 0) throw new Error('The step of a range cannot be zero')
  const length = Math.max(0, Math.floor((last - first) / step) + 1)
  if (length > maxElements) throw new JsonataLimitError(`A range has at most ${maxElements} elements`)
  const values = Array.from({ length }, (_, index) => first + index * step)
  return length === 1 ? first : values
}
