import { parseSchedule } from '@stepwright/app/schedule'
import { ServiceError, type ServiceInput, type ServiceOperation } from '@stepwright/local-server'
import { checkPattern, InvalidPatternError, matchesPattern, type Pattern } from '../pattern/event-pattern.ts'
import type { Rule, Target } from '../rules/rule.ts'
import type { Rules } from '../rules/rules.ts'
import { checkTarget, maxTargets } from './check-target.ts'
import { inputsOf, invalid, listOf, optionalText, requireText, validName } from './input.ts'
import { type EventOrigin, putEvents, toBusName } from './put-events.ts'
import { createTags } from './tags.ts'

const maxPatternLength = 4096
const maxPageSize = 100

/** The operations of EventBridge that have to do with events, rules and buses. */
export function createOperations(
  rules: Rules,
  origin: EventOrigin,
  onPublished: (work: Promise<void>) => void,
): Record<string, ServiceOperation> {
  const ruleOf = (input: ServiceInput, name: unknown = input['Name']): Rule =>
    rules.rule(busNameOf(input), requireText({ Name: name }, 'Name'))
  const tags = createTags(arn => {
    const [, busName = '', ruleName, name = ruleName ?? ''] =
      /^arn:[^:]+:events:[^:]*:\d*:(?:rule\/(?:(.+)\/)?([^/]+)|event-bus\/(.+))$/.exec(arn) ?? []
    if (arn === rules.busArn(name)) rules.rulesOf(name)
    else if (arn === rules.ruleArn({ name, busName: busName || 'default' }))
      rules.rule(busName || 'default', name)
    else
      throw new ServiceError(
        'ValidationException',
        `Parameter ${arn} is not valid. Reason: Provided Arn is not in correct format.`,
      )
  })
  const setEnabled =
    (isEnabled: boolean): ServiceOperation =>
    input => {
      rules.put({ ...ruleOf(input), isEnabled })
      return {}
    }

  return {
    PutEvents: input => putEvents(rules, origin, input, onPublished),
    PutRule: input => {
      const before = rules.rulesOf(busNameOf(input)).get(optionalText(input, 'Name') ?? '')
      const rule = toRule(input, before)
      const arn = rules.ruleArn(rule)
      // As on AWS, tags of a rule that exists are changed by TagResource only.
      if (before === undefined) tags.put(arn, input)
      rules.put(rule)
      return { RuleArn: arn }
    },
    DescribeRule: input => shown(rules, ruleOf(input)),
    ListRules: input => {
      const prefix = optionalText(input, 'NamePrefix') ?? ''
      const found = [...rules.rulesOf(busNameOf(input)).values()]
      return page(
        input,
        'Rules',
        found.filter(({ name }) => name.startsWith(prefix)).map(rule => shown(rules, rule)),
      )
    },
    DeleteRule: input => {
      const name = requireText(input, 'Name')
      const rule = rules.rulesOf(busNameOf(input)).get(name)
      if (rule === undefined) return {}
      if (rule.targets.length > 0)
        throw new ServiceError('ValidationException', "Rule can't be deleted since it has targets.")
      rules.delete(rule)
      tags.forget(rules.ruleArn(rule))
      return {}
    },
    EnableRule: setEnabled(true),
    DisableRule: setEnabled(false),
    PutTargets: input => {
      const rule = ruleOf(input, input['Rule'])
      const given = inputsOf(input, 'Targets') as unknown as readonly Target[]
      const others = rule.targets.filter(({ Id }) => given.every(target => target.Id !== Id))
      const targets = [...others, ...given]
      if (targets.length > maxTargets) {
        throw new ServiceError(
          'LimitExceededException',
          'The requested resource exceeds the maximum number allowed.',
        )
      }
      for (const target of given) checkTarget(target)
      rules.put({ ...rule, targets })
      return { FailedEntryCount: 0, FailedEntries: [] }
    },
    RemoveTargets: input => {
      const rule = ruleOf(input, input['Rule'])
      const ids = listOf(input, 'Ids')
      rules.put({ ...rule, targets: rule.targets.filter(({ Id }) => !ids.includes(Id)) })
      return { FailedEntryCount: 0, FailedEntries: [] }
    },
    ListTargetsByRule: input => page(input, 'Targets', ruleOf(input, input['Rule']).targets),
    ListRuleNamesByTarget: input => {
      const arn = requireText(input, 'TargetArn')
      const found = [...rules.rulesOf(busNameOf(input)).values()]
      const names = found
        .filter(({ targets }) => targets.some(({ Arn }) => Arn === arn))
        .map(({ name }) => name)
      return page(input, 'RuleNames', names)
    },
    TestEventPattern: input => {
      const pattern = parsePattern(requireText(input, 'EventPattern'))
      let event: unknown
      try {
        event = JSON.parse(requireText(input, 'Event'))
      } catch {
        throw new ServiceError('ValidationException', 'Parameter Event is not valid.')
      }
      return { Result: matchesPattern(pattern, event) }
    },
    CreateEventBus: input => {
      const name = checkName(requireText(input, 'Name'))
      const description = optionalText(input, 'Description')
      tags.check(input)
      rules.createBus(name, description)
      tags.put(rules.busArn(name), input)
      return {
        EventBusArn: rules.busArn(name),
        ...(description !== undefined && { Description: description }),
      }
    },
    DeleteEventBus: input => {
      const name = requireText(input, 'Name')
      const gone = rules.buses.get(name)?.rules.values() ?? []
      rules.deleteBus(name)
      for (const arn of [rules.busArn(name), ...[...gone].map(rules.ruleArn)]) tags.forget(arn)
      return {}
    },
    DescribeEventBus: input => {
      const name = busNameOf(input, input['Name'])
      rules.rulesOf(name)
      return shownBus(rules, name)
    },
    ListEventBuses: input => {
      const prefix = optionalText(input, 'NamePrefix') ?? ''
      const names = [...rules.buses.keys()].filter(name => name.startsWith(prefix))
      return page(
        input,
        'EventBuses',
        names.map(name => shownBus(rules, name)),
      )
    },
    TagResource: tags.tag,
    UntagResource: tags.untag,
    ListTagsForResource: tags.list,
  }
}

function toRule(input: ServiceInput, before: Rule | undefined): Rule {
  const pattern = optionalText(input, 'EventPattern')
  const schedule = optionalText(input, 'ScheduleExpression')
  if (pattern === undefined && schedule === undefined) {
    throw new ServiceError(
      'ValidationException',
      'Parameter(s) EventPattern or ScheduleExpression must be specified.',
    )
  }
  if (schedule !== undefined && parseSchedule(schedule) === undefined)
    throw new ServiceError('ValidationException', 'Parameter ScheduleExpression is not valid.')
  const busName = busNameOf(input)
  if (schedule !== undefined && busName !== 'default') {
    throw new ServiceError(
      'ValidationException',
      'ScheduleExpression is supported only on the default event bus.',
    )
  }
  return {
    name: checkName(requireText(input, 'Name')),
    busName,
    pattern: pattern === undefined ? undefined : parsePattern(pattern),
    schedule,
    description: optionalText(input, 'Description'),
    roleArn: optionalText(input, 'RoleArn'),
    isEnabled: isEnabled(optionalText(input, 'State') ?? 'ENABLED'),
    targets: before?.targets ?? [],
  }
}

function isEnabled(state: string): boolean {
  if (state === 'ENABLED' || state === 'DISABLED') return state === 'ENABLED'
  throw new ServiceError(
    'ValidationException',
    `The state ${state} of a rule is not supported on this machine`,
  )
}

function parsePattern(text: string): Pattern {
  if (text.length > maxPatternLength) {
    throw new ServiceError(
      'ValidationException',
      `1 validation error detected: Value at 'eventPattern' failed to satisfy constraint: Member must have length less than or equal to ${maxPatternLength}`,
    )
  }
  try {
    const pattern = JSON.parse(text)
    checkPattern(pattern)
    return pattern
  } catch (error) {
    const reason = error instanceof InvalidPatternError ? error.message : 'It is not JSON'
    throw new ServiceError('InvalidEventPatternException', `Event pattern is not valid. Reason: ${reason}`)
  }
}

function shown(rules: Rules, rule: Rule): object {
  const { name, busName, pattern, schedule, description, roleArn, isEnabled } = rule
  return {
    Name: name,
    Arn: rules.ruleArn(rule),
    EventBusName: busName,
    State: isEnabled ? 'ENABLED' : 'DISABLED',
    ...(pattern !== undefined && { EventPattern: JSON.stringify(pattern) }),
    ...(schedule !== undefined && { ScheduleExpression: schedule }),
    ...(description !== undefined && { Description: description }),
    ...(roleArn !== undefined && { RoleArn: roleArn }),
  }
}

function shownBus(rules: Rules, name: string): object {
  const description = rules.buses.get(name)?.description
  return {
    Name: name,
    Arn: rules.busArn(name),
    ...(description !== undefined && { Description: description }),
  }
}

/** The name of a bus, which may be given as its ARN. */
function busNameOf(input: ServiceInput, name: unknown = input['EventBusName']): string {
  return toBusName(name)
}

function page(input: ServiceInput, name: string, items: readonly unknown[]): object {
  const token = optionalText(input, 'NextToken')
  const start = token === undefined ? 0 : Number(Buffer.from(token, 'base64url').toString() || Number.NaN)
  if (!Number.isSafeInteger(start) || start < 0) throw invalid('NextToken')
  const size = Number(input['Limit'] ?? maxPageSize)
  if (!Number.isInteger(size) || size < 1 || size > maxPageSize) throw invalid('Limit')
  const end = start + size
  return {
    [name]: items.slice(start, end),
    ...(end < items.length && { NextToken: Buffer.from(String(end)).toString('base64url') }),
  }
}

function checkName(name: string): string {
  if (validName.test(name)) return name
  throw new ServiceError(
    'ValidationException',
    `1 validation error detected: Value '${name}' at 'name' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\.\\-_A-Za-z0-9]+`,
  )
}
