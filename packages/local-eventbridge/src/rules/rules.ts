import { randomUUID } from 'node:crypto'
import { parseSchedule } from '@stepwright/app/schedule'
import { type Deliver, ServiceError } from '@stepwright/local-server'
import { matchesPattern } from '../pattern/event-pattern.ts'
import { type BusEvent, toEventTime } from './event.ts'
import type { Rule, Target } from './rule.ts'
import { targetInput } from './target-input.ts'

export interface RulesOptions {
  readonly deliver: Deliver
  readonly region: string
  readonly account: string
  readonly now: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly onProblem: (message: string) => void
  /** Told of what a schedule is delivering. */
  readonly onDelivery: (work: Promise<unknown>) => void
}

export interface Bus {
  readonly description: string | undefined
  readonly rules: ReadonlyMap<string, Rule>
}

export interface Rules {
  readonly buses: ReadonlyMap<string, Bus>
  busArn(name: string): string
  ruleArn(rule: Pick<Rule, 'name' | 'busName'>): string
  rulesOf(busName: string): ReadonlyMap<string, Rule>
  rule(busName: string, name: string): Rule
  createBus(name: string, description?: string): void
  deleteBus(name: string): void
  put(rule: Rule): void
  delete(rule: Rule): void
  /** Delivers an event to every target whose rule asks for it. */
  publish(busName: string, event: BusEvent): Promise<void>
  stop(): void
}

/** EventBridge goes on for a day; here something that fails three times at once is reported. */
const maxTries = 3
const maxTimerMs = 2 ** 31 - 1

export function createRules(options: RulesOptions): Rules {
  const { deliver, region, account, now, sleep, onProblem, onDelivery } = options
  const buses = new Map<string, Bus & { readonly rules: Map<string, Rule> }>([
    ['default', { description: undefined, rules: new Map() }],
  ])
  const timers = new Map<string, AbortController>()

  const arn = (kind: string, name: string): string => `arn:aws:events:${region}:${account}:${kind}/${name}`
  const busArn = (name: string): string => arn('event-bus', name)
  const ruleArn = ({ name, busName }: Pick<Rule, 'name' | 'busName'>): string =>
    arn('rule', busName === 'default' ? name : `${busName}/${name}`)
  const rulesOf = (busName: string): Map<string, Rule> => {
    const rules = buses.get(busName)?.rules
    if (rules) return rules
    throw new ServiceError('ResourceNotFoundException', `Event bus ${busName} does not exist.`)
  }

  async function send(rule: Rule, target: Target, event: BusEvent): Promise<void> {
    const { SqsParameters, RetryPolicy } = target
    const payload = targetInput(target, event, { name: rule.name, arn: ruleArn(rule) })
    const { MessageGroupId: messageGroupId } = SqsParameters ?? {}
    const tries = Math.min(maxTries, (RetryPolicy?.MaximumRetryAttempts ?? maxTries) + 1)
    for (let tried = 1; ; tried += 1) {
      try {
        await toBusOr(target.Arn, payload, messageGroupId, event)
        return
      } catch (error) {
        if (tried < tries) continue
        await giveUp(rule, target, payload, { tried, error: error as Error })
        return
      }
    }
  }

  /** A dead letter says what could not be delivered to what, and why, as EventBridge has it. */
  async function giveUp(
    rule: Rule,
    { Arn, DeadLetterConfig }: Target,
    payload: string,
    { tried, error }: { readonly tried: number; readonly error: Error },
  ): Promise<void> {
    const facts = {
      RULE_ARN: ruleArn(rule),
      TARGET_ARN: Arn,
      ERROR_CODE: error instanceof ServiceError ? error.code : error.name,
      ERROR_MESSAGE: error.message || error.name,
      EXHAUSTED_RETRY_CONDITION: 'MaximumRetryAttempts',
    }
    const messageAttributes = {
      ...Object.fromEntries(
        Object.entries(facts).map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]),
      ),
      RETRY_ATTEMPTS: { DataType: 'Number', StringValue: String(tried - 1) },
    }
    try {
      if (DeadLetterConfig?.Arn === undefined) throw error
      await deliver(DeadLetterConfig.Arn, payload, { messageAttributes })
    } catch (last) {
      onProblem(`the rule ${rule.name} could not deliver: ${(last as Error).message}`)
    }
  }

  async function toBusOr(
    targetArn: string,
    payload: string,
    messageGroupId: string | undefined,
    event: BusEvent,
  ): Promise<void> {
    const busName = busNameIn(targetArn)
    if (busName !== undefined) await publishTo(busName, event, target => busNameIn(target.Arn) === undefined)
    else await deliver(targetArn, payload, messageGroupId === undefined ? {} : { messageGroupId })
  }

  /** What came from another bus goes to targets that are none: on AWS too, events are passed on once. */
  async function publishTo(busName: string, event: BusEvent, isTarget: (target: Target) => boolean) {
    const asking = [...rulesOf(busName).values()].filter(
      ({ isEnabled, pattern }) => isEnabled && pattern && matchesPattern(pattern, event),
    )
    await Promise.all(
      asking.flatMap(rule => rule.targets.filter(isTarget).map(target => send(rule, target, event))),
    )
  }

  /** Runs a rule at its times until it is changed. */
  async function runSchedule(arnOfRule: string, rule: Rule, signal: AbortSignal): Promise<void> {
    const schedule = parseSchedule(rule.schedule ?? '')
    const following = (atMs: number): number | undefined => {
      const nextMs = schedule?.next(atMs)
      // What was missed while the machine slept is not made up for.
      return nextMs !== undefined && nextMs < now() ? schedule?.next(now()) : nextMs
    }
    for (let atMs = schedule?.next(now()); atMs !== undefined; atMs = following(atMs)) {
      while (now() < atMs) await sleep(Math.min(atMs - now(), maxTimerMs), signal)
      signal.throwIfAborted()
      const event: BusEvent = {
        version: '0',
        id: randomUUID(),
        'detail-type': 'Scheduled Event',
        source: 'aws.events',
        account,
        time: toEventTime(atMs),
        region,
        resources: [arnOfRule],
        detail: {},
      }
      const current = buses.get(rule.busName)?.rules.get(rule.name)
      onDelivery(Promise.all((current?.targets ?? []).map(target => send(rule, target, event))))
    }
  }

  const unschedule = (arnOfRule: string): void => {
    timers.get(arnOfRule)?.abort()
    timers.delete(arnOfRule)
  }

  return {
    buses,
    busArn,
    ruleArn,
    rulesOf,
    rule(busName, name) {
      const found = rulesOf(busName).get(name)
      if (found) return found
      throw new ServiceError(
        'ResourceNotFoundException',
        `Rule ${name} does not exist on EventBus ${busName}.`,
      )
    },
    createBus(name, description) {
      if (buses.has(name))
        throw new ServiceError('ResourceAlreadyExistsException', `Event bus ${name} already exists.`)
      buses.set(name, { description, rules: new Map() })
    },
    deleteBus(name) {
      if (name === 'default')
        throw new ServiceError('ValidationException', 'Cannot delete event bus default.')
      for (const rule of buses.get(name)?.rules.values() ?? []) unschedule(ruleArn(rule))
      buses.delete(name)
    },
    put(rule) {
      const rules = rulesOf(rule.busName)
      const before = rules.get(rule.name)
      rules.set(rule.name, rule)
      const arnOfRule = ruleArn(rule)
      // Other targets are no reason to begin to count again.
      if (before?.schedule === rule.schedule && before?.isEnabled === rule.isEnabled) return
      unschedule(arnOfRule)
      if (rule.schedule === undefined || !rule.isEnabled) return
      const controller = new AbortController()
      timers.set(arnOfRule, controller)
      runSchedule(arnOfRule, rule, controller.signal).catch((error: Error) => {
        if (!controller.signal.aborted) onProblem(`the rule ${rule.name} stopped: ${error.message}`)
      })
    },
    delete(rule) {
      unschedule(ruleArn(rule))
      rulesOf(rule.busName).delete(rule.name)
    },
    publish: (busName, event) => publishTo(busName, event, () => true),
    stop() {
      for (const arnOfRule of [...timers.keys()]) unschedule(arnOfRule)
    },
  }
}

function busNameIn(targetArn: string): string | undefined {
  return /:event-bus\/(.+)/.exec(targetArn)?.[1]
}
