import type { MapState, QueryLanguage } from '@stepwright/asl'
import { scopeOf, type Thread } from '../execution/thread.ts'
import { compileJsonata, expectType } from '../expressions/jsonata-template.ts'
import { runtimeFailure } from '../failures/state-failure.ts'
import { jsonataScope } from '../flow/jsonata-flow.ts'
import type { Json } from '../json.ts'
import { chain, type MaybePromise } from '../maybe-promise.ts'
import { compileReference, findRequired } from '../reference.ts'

export type NumberField = (thread: Thread, input: Json) => MaybePromise<number | undefined>

interface NumberSource {
  readonly field: string
  readonly literal: number | string | undefined
  readonly path: string | undefined
  readonly language: QueryLanguage
  readonly kind: 'integer' | 'float'
}

/** A number given as itself, as `…Path`, or as a JSONata expression. */
export function compileNumber({ field, literal, path, language, kind }: NumberSource): NumberField {
  if (path !== undefined) {
    const reference = compileReference(path)
    return (thread, input) => {
      const found = findRequired(reference, scopeOf(thread, input))
      const value = typeof found === 'string' && found.trim() !== '' ? Number(found) : found
      if (kind === 'integer' ? Number.isInteger(value) : Number.isFinite(value)) return value as number
      const shown = typeof found === 'string' ? found : JSON.stringify(found)
      throw runtimeFailure(
        `The ${field}Path field refers to value "${shown}" which is not a valid ${kind}: ${path}`,
      )
    }
  }
  if (literal === undefined || typeof literal === 'number') return () => literal
  if (language !== 'JSONata') return () => Number(literal)
  const evaluate = compileJsonata(literal, field)
  return (thread, input) =>
    chain(
      evaluate(jsonataScope(thread, input)),
      value => expectType(literal, field, ['number'], value) as number,
    )
}

/** How many items may fail; whichever bound is given and exceeded fails the Map, and without any the first failure does. */
export interface Tolerance {
  readonly count: number | undefined
  readonly percentage: number | undefined
}

export function isExceeded({ count, percentage }: Tolerance, failed: number, total: number): boolean {
  return (
    exceedsCount({ count, percentage }, failed) ||
    (percentage !== undefined && total > 0 && (failed * 100) / total > percentage)
  )
}

/** What can be known before all items have been counted. */
export function exceedsCount({ count, percentage }: Tolerance, failed: number): boolean {
  return count === undefined ? percentage === undefined && failed > 0 : failed > count
}

export function compileTolerance(
  state: MapState,
  language: QueryLanguage,
): (thread: Thread, input: Json) => Promise<Tolerance> {
  const countField = compileNumber({
    field: 'ToleratedFailureCount',
    literal: state.ToleratedFailureCount,
    path: state.ToleratedFailureCountPath,
    language,
    kind: 'integer',
  })
  const percentageField = compileNumber({
    field: 'ToleratedFailurePercentage',
    literal: state.ToleratedFailurePercentage,
    path: state.ToleratedFailurePercentagePath,
    language,
    kind: 'float',
  })
  return async (thread, input) => {
    const count = await countField(thread, input)
    if (count !== undefined && count < 0) throw runtimeFailure('ToleratedFailureCount cannot be negative.')
    const percentage = await percentageField(thread, input)
    if (percentage !== undefined && (percentage < 0 || percentage > 100)) {
      throw runtimeFailure('ToleratedFailurePercentage must be between 0 and 100.')
    }
    const { observer } = thread.execution
    if (count !== undefined) observer?.see('toleratedFailureCount', count)
    if (percentage !== undefined) observer?.see('toleratedFailurePercentage', percentage)
    return { count, percentage }
  }
}

/** 0 means "as many as there are". */
export function compileMaxConcurrency(state: MapState, language: QueryLanguage): NumberField {
  const field = compileNumber({
    field: 'MaxConcurrency',
    literal: state.MaxConcurrency,
    path: state.MaxConcurrencyPath,
    language,
    kind: 'integer',
  })
  return (thread, input) =>
    chain(field(thread, input), value => {
      if (value !== undefined && value < 0) throw runtimeFailure('MaxConcurrency cannot be negative.')
      thread.execution.observer?.see('maxConcurrency', value ?? 0)
      return value ?? 0
    })
}
