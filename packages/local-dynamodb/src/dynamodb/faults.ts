import type { Call } from './engine.ts'
import { tablesOf } from './engine-calls.ts'

/** Which calls a fault hits: all unless narrowed. */
export interface FaultTarget {
  /** E.g. `'PutItem'`. */
  readonly operation?: string
  readonly table?: string
  /** How many matching calls pass unharmed first. @default 0 */
  readonly skip?: number
  /** How many calls it hits; `Infinity` for all. @default 1 */
  readonly times?: number
}

/** What happens to a call instead of, before or after its usual course. */
export type FaultEffect =
  /** Refuses the call with an error of DynamoDB. */
  | { readonly kind: 'error'; readonly error?: FaultError }
  /** Carries out the first `processed` items of a batch call and hands back the rest. @default half of them */
  | { readonly kind: 'unprocessed'; readonly processed?: number }
  /** Cuts the connection before the call takes effect, or after it did but before the client learns of it. */
  | { readonly kind: 'drop'; readonly when?: 'before' | 'after' }
  /** Holds the call back before it takes effect. */
  | { readonly kind: 'latency'; readonly delayMs: number }

export type FaultError =
  | 'ProvisionedThroughputExceededException'
  | 'ThrottlingException'
  | 'RequestLimitExceeded'
  | 'InternalServerError'
  | 'ServiceUnavailable'

export type Fault = FaultTarget & FaultEffect

export interface InjectedFault {
  /** How many calls it has hit so far. */
  readonly hits: number
  remove(): void
}

export interface Faults {
  inject(fault: Fault): InjectedFault
  clear(): void
}

interface Active {
  readonly fault: Fault
  seen: number
  hits: number
}

/** The injected faults and, for each call, those that hit it, in the order of injection. */
export function createFaults(): Faults & { hitting(call: Call): FaultEffect[] } {
  let active: Active[] = []
  return {
    inject(fault) {
      const added: Active = { fault, seen: 0, hits: 0 }
      active.push(added)
      return {
        get hits() {
          return added.hits
        },
        remove() {
          active = active.filter(one => one !== added)
        },
      }
    },
    clear() {
      active = []
    },
    hitting(call) {
      return active.filter(one => takesHit(one, call)).map(one => one.fault)
    },
  }
}

function takesHit(one: Active, call: Call): boolean {
  const { operation, table, skip = 0, times = 1, kind } = one.fault
  if (operation !== undefined && operation !== call.operation) return false
  if (kind === 'unprocessed' && !/^Batch(WriteItem|GetItem|ExecuteStatement)$/.test(call.operation))
    return false
  if (table !== undefined && !tablesOf(call).includes(table)) return false
  one.seen += 1
  if (one.seen <= skip || one.hits >= times) return false
  one.hits += 1
  return true
}
