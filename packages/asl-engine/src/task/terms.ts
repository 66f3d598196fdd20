import type { QueryLanguage, TaskState } from '@stepwright/asl'
import { scopeOf, type Thread } from '../execution/thread.ts'
import { compileJsonata, expectType } from '../expressions/jsonata-template.ts'
import { compileTemplate } from '../expressions/template.ts'
import { runtimeFailure } from '../failures/state-failure.ts'
import { jsonataScope } from '../flow/jsonata-flow.ts'
import { isObject, type Json } from '../json.ts'
import { chain, type MaybePromise } from '../maybe-promise.ts'
import { compileReference, findRequired } from '../reference.ts'

/** How a task is to be run. */
export interface Terms {
  readonly timeoutMs: number | undefined
  readonly heartbeatMs: number | undefined
  /** Whose rights the task borrows; recorded, not enforced. */
  readonly roleArn: string | undefined
}

type Seconds = (thread: Thread, input: Json) => MaybePromise<number | undefined>

export const noTerms: Terms = { timeoutMs: undefined, heartbeatMs: undefined, roleArn: undefined }

export function compileTerms(
  state: TaskState,
  language: QueryLanguage,
): (thread: Thread, input: Json) => MaybePromise<Terms> {
  const timeout = compileSeconds(state.TimeoutSeconds, state.TimeoutSecondsPath, 'TimeoutSeconds', language)
  const heartbeat = compileSeconds(
    state.HeartbeatSeconds,
    state.HeartbeatSecondsPath,
    'HeartbeatSeconds',
    language,
  )
  const role = compileRole(state.Credentials, language)
  if (timeout === undefined && heartbeat === undefined && role === undefined) return () => noTerms
  return (thread, input) =>
    chain(timeout?.(thread, input), timeoutSeconds =>
      chain(heartbeat?.(thread, input), heartbeatSeconds =>
        chain(role?.(thread, input), roleArn => ({
          timeoutMs: toMs(timeoutSeconds),
          heartbeatMs: toMs(heartbeatSeconds),
          roleArn,
        })),
      ),
    )
}

function compileRole(
  credentials: TaskState['Credentials'],
  language: QueryLanguage,
): ((thread: Thread, input: Json) => MaybePromise<string | undefined>) | undefined {
  if (credentials === undefined) return undefined
  const roleOf = (value: Json): string | undefined =>
    isObject(value) && typeof value['RoleArn'] === 'string' ? value['RoleArn'] : undefined
  if (language === 'JSONata') {
    const evaluate = compileJsonata(credentials, 'Credentials')
    return (thread, input) => chain(evaluate(jsonataScope(thread, input)), roleOf)
  }
  const evaluate = compileTemplate(credentials)
  return (thread, input) => roleOf(evaluate(scopeOf(thread, input)))
}

function toMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000
}

/** The terms as history shows them. */
export function shownTerms(terms: Terms): Record<string, unknown> | undefined {
  return terms === noTerms ? undefined : showTerms(terms)
}

function showTerms({ timeoutMs, heartbeatMs, roleArn }: Terms): Record<string, unknown> {
  return {
    ...(timeoutMs === undefined ? {} : { timeoutInSeconds: timeoutMs / 1000 }),
    ...(heartbeatMs === undefined ? {} : { heartbeatInSeconds: heartbeatMs / 1000 }),
    ...(roleArn === undefined ? {} : { taskCredentials: { roleArn } }),
  }
}

function compileSeconds(
  literal: number | string | undefined,
  path: string | undefined,
  field: string,
  language: QueryLanguage,
): Seconds | undefined {
  if (path !== undefined) return compileSecondsPath(path, `${field}Path`)
  if (literal === undefined) return undefined
  if (typeof literal === 'number') return () => literal
  if (language !== 'JSONata') return () => Number(literal)
  const evaluate = compileJsonata(literal, field)
  return (thread, input) =>
    chain(
      evaluate(jsonataScope(thread, input)),
      value => expectType(literal, field, ['number'], value) as number,
    )
}

function compileSecondsPath(path: string, field: string): Seconds {
  const reference = compileReference(path)
  return (thread, input) => {
    const found = findRequired(reference, scopeOf(thread, input))
    if (!Number.isInteger(found) || (found as number) <= 0) {
      const shown = typeof found === 'string' ? found : JSON.stringify(found)
      throw runtimeFailure(
        `The ${field} field refers to value "${shown}" which is not a valid positive integer: ${path}`,
      )
    }
    return found as number
  }
}
