import { ServiceError, type ServiceInput, type ServiceOperation } from '@stepwright/local-server'
import { checkPattern, InvalidPatternError, matchesPattern, type Pattern } from '../pattern/event-pattern.ts'
import type { Rule, Target } from '../rules/rule.ts'
import type { Rules } from '../rules/rules.ts'
import { parseSchedule } from '../schedule/schedule.ts'
import { type EventOrigin, putEvents, toBusName } from './put-events.ts'

const validName = /^[\w.-]{1,64}$/
const maxTargets = 5
const maxPageSize = 100

/** The operations of EventBridge that have to do with events, rules and buses. */
export function createOperations(
  rules: Rules,
  origin: EventOrigin,
  onPublished: (work: Promise<void>) => void,
): Record<string, ServiceOperation> {
  const ruleOf = (input: ServiceInput, name: unknown = input['Name']): Rule =>
    rules.rule(busNameOf(input), requireText({ Name: name }, 'Name'))
  const setEnabled =
    (isEnabled: boolean): ServiceOperation =>
    input => {
      rules.put({ ...ruleOf(input), isEnabled })
      return {}
    }

  return {
    PutEvents: input => putEvents(rules, origin, input, onPublished),
    PutRule: input => {
      const rule = toRule(input, rules.rulesOf(busNameOf(input)).get(optionalText(input, 'Name') ?? ''))
      rules.put(rule)
      return { RuleArn: rules.ruleArn(rule) }
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
      rules.createBus(name)
      return { EventBusArn: rules.busArn(name) }
    },
    DeleteEventBus: input => {
      rules.deleteBus(requireText(input, 'Name'))
      return {}
    },
    DescribeEventBus: input => {
      const name = busNameOf(input, input['Name'])
      rules.rulesOf(name)
      return { Name: name, Arn: rules.busArn(name) }
    },
    ListEventBuses: input => {
      const prefix = optionalText(input, 'NamePrefix') ?? ''
      const names = [...rules.buses.keys()].filter(name => name.startsWith(prefix))
      return page(
        input,
        'EventBuses',
        names.map(name => ({ Name: name, Arn: rules.busArn(name) })),
      )
    },
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
    isEnabled: input['State'] !== 'DISABLED',
    targets: before?.targets ?? [],
  }
}

function parsePattern(text: string): Pattern {
  try {
    const pattern = JSON.parse(text)
    checkPattern(pattern)
    return pattern
  } catch (error) {
    const reason = error instanceof InvalidPatternError ? error.message : 'It is not JSON'
    throw new ServiceError('InvalidEventPatternException', `Event pattern is not valid. Reason: ${reason}`)
  }
}

function checkTarget(target: Target): void {
  const { Id, Arn, Input, InputPath, InputTransformer, SqsParameters, DeadLetterConfig, RetryPolicy } = target
  if (typeof Id !== 'string' || !validName.test(Id)) throw invalid('Id')
  if (typeof Arn !== 'string') throw invalid('Arn')
  if (!/^arn:aws[\w-]*:\w+:/.test(Arn))
    throw new ServiceError(
      'ValidationException',
      `Parameter ${Arn} is not valid. Reason: Provided Arn is not in correct format.`,
    )
  if ([Input, InputPath, InputTransformer].filter(given => given !== undefined).length > 1) {
    throw new ServiceError(
      'ValidationException',
      `Only one of Input, InputPath, or InputTransformer must be provided for target ${Id}.`,
    )
  }
  const paths = Object.values(InputTransformer?.InputPathsMap ?? {})
  if (InputTransformer && typeof InputTransformer.InputTemplate !== 'string')
    throw invalid('InputTransformer')
  const texts = [Input, InputPath, SqsParameters?.MessageGroupId, DeadLetterConfig?.Arn, ...paths]
  if (!texts.every(text => text === undefined || typeof text === 'string')) throw invalid(`Target ${Id}`)
  const { MaximumRetryAttempts: attempts = 0 } = RetryPolicy ?? {}
  if (!Number.isInteger(attempts) || attempts < 0 || attempts > 185) throw invalid('MaximumRetryAttempts')
  if (Input === undefined) return
  try {
    JSON.parse(Input)
  } catch {
    throw new ServiceError('ValidationException', `JSON syntax error in input for target ${Id}.`)
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

function requireText(input: ServiceInput, name: string): string {
  const value = optionalText(input, name)
  if (value === undefined || value === '') throw invalid(name)
  return value
}

function optionalText(input: ServiceInput, name: string): string | undefined {
  const value = input[name] ?? undefined
  if (value === undefined || typeof value === 'string') return value
  throw new ServiceError('SerializationException', `${name} must be a string`)
}

function listOf(input: ServiceInput, name: string): readonly unknown[] {
  const value = input[name]
  if (Array.isArray(value)) return value
  throw invalid(name)
}

function inputsOf(input: ServiceInput, name: string): readonly ServiceInput[] {
  const list = listOf(input, name)
  if (list.every(item => typeof item === 'object' && item !== null)) return list as readonly ServiceInput[]
  throw new ServiceError('SerializationException', `${name} must be a list of structures`)
}

function invalid(name: string): ServiceError {
  return new ServiceError('ValidationException', `Parameter ${name} is not valid.`)
}
