import { ServiceError } from '@stepwright/local-server'
import { parseInputPath } from '../rules/input-path.ts'
import type { Target } from '../rules/rule.ts'
import { unknownPlaceholder } from '../rules/target-input.ts'
import { invalid, validName } from './input.ts'

export const maxTargets = 5
const maxVariables = 100
const maxInputLength = 8192

/** What a target may say here. What else AWS knows is refused. */
const supported: Readonly<Record<string, readonly string[]>> = {
  Target: [
    ...['Id', 'Arn', 'RoleArn', 'Input', 'InputPath', 'InputTransformer', 'SqsParameters'],
    ...['DeadLetterConfig', 'RetryPolicy'],
  ],
  InputTransformer: ['InputPathsMap', 'InputTemplate'],
  SqsParameters: ['MessageGroupId'],
  DeadLetterConfig: ['Arn'],
  RetryPolicy: ['MaximumRetryAttempts', 'MaximumEventAgeInSeconds'],
}

/** @throws ServiceError that says what is wrong with it, or what is not supported here */
export function checkTarget(target: Target): void {
  const { Id, Arn, Input, InputPath, InputTransformer, SqsParameters, DeadLetterConfig, RetryPolicy } = target
  if (typeof Id !== 'string' || !validName.test(Id)) throw invalid('Id')
  if (typeof Arn !== 'string') throw invalid('Arn')
  if (!/^arn:aws[\w-]*:\w+:/.test(Arn))
    throw refused(`Parameter ${Arn} is not valid. Reason: Provided Arn is not in correct format.`)
  for (const [name, given] of Object.entries({
    Target: target,
    InputTransformer,
    SqsParameters,
    DeadLetterConfig,
    RetryPolicy,
  })) {
    checkMembers(name, given, Id)
  }
  if ([Input, InputPath, InputTransformer].filter(given => given !== undefined).length > 1)
    throw refused(`Only one of Input, InputPath, or InputTransformer must be provided for target ${Id}.`)
  const texts = [Input, InputPath, SqsParameters?.MessageGroupId, DeadLetterConfig?.Arn]
  if (!texts.every(text => text === undefined || typeof text === 'string')) throw invalid(`Target ${Id}`)
  if (InputTransformer) checkTransformer(InputTransformer, Id)
  if (InputPath !== undefined) checkPath(InputPath, Id)
  checkRetryPolicy(RetryPolicy)
  if (Input !== undefined) checkJson(Input, Id)
}

function checkTransformer(
  { InputPathsMap = {}, InputTemplate }: NonNullable<Target['InputTransformer']>,
  id: string,
) {
  if (typeof InputTemplate !== 'string' || InputTemplate === '' || InputTemplate.length > maxInputLength)
    throw invalid('InputTransformer')
  const names = Object.keys(InputPathsMap)
  if (names.length > maxVariables)
    throw refused(`InputPathsMap for target ${id} must have at most ${maxVariables} entries.`)
  const reserved = names.find(name => /^aws\./i.test(name))
  if (reserved !== undefined)
    throw refused(`InputPathsMap for target ${id} contains the reserved key ${reserved}.`)
  for (const path of Object.values(InputPathsMap)) checkPath(path, id)
  const unknown = unknownPlaceholder(InputTemplate, names)
  if (unknown !== undefined)
    throw refused(`InputTemplate for target ${id} contains invalid placeholder ${unknown}.`)
}

function checkPath(path: unknown, id: string): void {
  if (typeof path === 'string' && parseInputPath(path) !== undefined) return
  throw refused(`Invalid InputPath for target ${id}: ${String(path)}`)
}

function checkRetryPolicy({
  MaximumRetryAttempts = 0,
  MaximumEventAgeInSeconds = 60,
}: NonNullable<Target['RetryPolicy']> = {}): void {
  if (!isWithin(MaximumRetryAttempts, 0, 185)) throw invalid('MaximumRetryAttempts')
  if (!isWithin(MaximumEventAgeInSeconds, 60, 86_400)) throw invalid('MaximumEventAgeInSeconds')
}

function checkJson(text: string, id: string): void {
  if (text.length > maxInputLength)
    throw refused(`Input for target ${id} has more than ${maxInputLength} characters.`)
  try {
    JSON.parse(text)
  } catch {
    throw refused(`JSON syntax error in input for target ${id}.`)
  }
}

function checkMembers(name: string, given: object | undefined, id: string): void {
  const ignored = Object.entries(given ?? {}).find(
    ([key, value]) => value != null && !supported[name]?.includes(key),
  )
  if (ignored === undefined) return
  throw refused(`${ignored[0]} of target ${id} is not supported on this machine.`)
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most
}

function refused(message: string): ServiceError {
  return new ServiceError('ValidationException', message)
}
