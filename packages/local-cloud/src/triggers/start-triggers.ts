import type { AnyApp, PhysicalNames, TriggerDeclaration } from '@stepwright/app'
import type { ObjectCreatedEvent } from '@stepwright/local-s3'
import { callAsynchronously } from '../functions/call-asynchronously.ts'
import { type BusEvent, matchesPattern } from './event-pattern.ts'
import { cronMatches, rateMs } from './schedule.ts'

export interface TriggerTargets {
  readonly call: (functionName: string, event: unknown) => Promise<unknown>
  readonly start: (workflow: string, event: unknown) => Promise<unknown>
}

export interface Triggers extends Disposable {
  /** Delivers an event of the cloud to every trigger that asks for it. */
  publish(event: BusEvent): Promise<void>
  /** Calls the target of one trigger. */
  fire(name: string, event: unknown): Promise<void>
}

const minuteMs = 60_000

/** Calls what the app declares for objects, schedules and events: the functions that are deployed. */
export function startTriggers(app: AnyApp, names: PhysicalNames, targets: TriggerTargets): Triggers {
  const triggers: readonly (readonly [string, TriggerDeclaration])[] = Object.entries(app.triggers ?? {})
  const timers = triggers.flatMap(([name, trigger]) =>
    'schedule' in trigger
      ? [startSchedule(trigger, () => void deliver(name, trigger, trigger.input ?? {}))]
      : [],
  )

  const deliver = (name: string, trigger: TriggerDeclaration, event: unknown): Promise<void> =>
    callAsynchronously(`the trigger ${name}`, () =>
      'calls' in trigger ? targets.call(trigger.calls, event) : targets.start(trigger.starts, event),
    )

  return {
    async publish(event) {
      const matching = triggers.filter(([, trigger]) => asksFor(trigger, event, names))
      await Promise.all(matching.map(([name, trigger]) => deliver(name, trigger, event)))
    },
    async fire(name, event) {
      const found = triggers.find(([each]) => each === name)
      if (found === undefined) {
        throw new TypeError(
          `there is no trigger ${name}; there are ${triggers.map(([each]) => each).join(', ')}`,
        )
      }
      await deliver(name, found[1], event)
    },
    [Symbol.dispose]() {
      for (const timer of timers) clearInterval(timer)
    },
  }
}

function startSchedule(
  { schedule }: { readonly schedule: `rate(${string})` | `cron(${string})` },
  run: () => void,
) {
  const everyMs = rateMs(schedule)
  const timer =
    everyMs === undefined
      ? setInterval(() => cronMatches(schedule, Date.now()) && run(), minuteMs)
      : setInterval(run, Math.min(everyMs, 2 ** 31 - 1))
  return timer.unref()
}

function asksFor(trigger: TriggerDeclaration, event: BusEvent, names: PhysicalNames): boolean {
  if ('event' in trigger) return matchesPattern(trigger.event, event)
  if (!('objectCreated' in trigger) || event['detail-type'] !== 'Object Created') return false
  const { bucket, prefix = '', suffix = '' } = trigger.objectCreated
  const { bucket: changed, object } = (event as ObjectCreatedEvent).detail
  return (
    changed.name === names.buckets[bucket] && object.key.startsWith(prefix) && object.key.endsWith(suffix)
  )
}
