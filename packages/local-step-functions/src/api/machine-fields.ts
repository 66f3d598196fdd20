import { ServiceError } from '@stepwright/local-server'
import type { Tags } from '../machines/machines.ts'
import { includedData, machineTypes } from './constraints.ts'
import { missing, type Parameters, violation } from './request.ts'

/** What CreateStateMachine and its like are told about a state machine besides its definition. */

export function readMachineType(parameters: Parameters): 'STANDARD' | 'EXPRESS' {
  return parameters.optionalChoice('type', machineTypes) ?? 'STANDARD'
}

const maxTags = 50

export function readTags(parameters: Parameters): Tags {
  const tags = parameters.optionalList('tags') ?? []
  if (tags.length > maxTags)
    throw new ServiceError('TooManyTags', `A resource may have ${maxTags} tags, not ${tags.length}`)
  return Object.fromEntries(
    tags.map((tag, index) => {
      if (typeof tag !== 'object' || tag === null) throw violation(missing(`tags.${index + 1}.member`))
      const { key, value } = tag as { key?: unknown; value?: unknown }
      return [textOrEmpty(key, `tags.${index + 1}.member.key`), textOrEmpty(value, 'value')]
    }),
  )
}

function textOrEmpty(value: unknown, name: string): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  throw new ServiceError('SerializationException', `The field '${name}' must be a string`)
}

const levels = ['ALL', 'ERROR', 'FATAL', 'OFF'] as const
export type LogLevel = (typeof levels)[number]

export interface LoggingConfiguration {
  readonly level: LogLevel
  readonly includeExecutionData: boolean
  readonly destinations?: readonly unknown[]
}

const loggingOff: LoggingConfiguration = { level: 'OFF', includeExecutionData: false }

/** What is logged of executions; only with a destination, of which there may be one. */
export function readLogging(parameters: Parameters): LoggingConfiguration | undefined {
  const given = parameters.optionalObject('loggingConfiguration')
  if (given === undefined) return undefined
  const { destinations, level = 'OFF', includeExecutionData = false } = given
  if (!levels.includes(level as LogLevel)) {
    throw violation(
      `Value '${level}' at 'loggingConfiguration.level' failed to satisfy constraint: Member must satisfy enum value set: [${levels.join(', ')}]`,
    )
  }
  const count = Array.isArray(destinations) ? destinations.length : 0
  if (count > 1 || (count === 0 && level !== 'OFF')) {
    throw new ServiceError(
      'InvalidLoggingConfiguration',
      'Invalid Logging Configuration: Must specify exactly one Log Destination.',
    )
  }
  return {
    level: level as LogLevel,
    includeExecutionData: includeExecutionData === true,
    ...(count === 0 ? {} : { destinations: destinations as unknown[] }),
  }
}

export function toLogging(configuration: unknown): LoggingConfiguration {
  return { ...loggingOff, ...(configuration as Partial<LoggingConfiguration> | undefined) }
}

/** Data on this machine is not encrypted with a key of AWS's, which nobody notices; with a key of one's own, one would. */
export function checkEncryption(parameters: Parameters): void {
  const type = parameters.optionalObject('encryptionConfiguration')?.['type']
  if (type === undefined || type === 'AWS_OWNED_KEY') return
  if (type === 'CUSTOMER_MANAGED_KMS_KEY') {
    throw new ServiceError(
      'InvalidEncryptionConfiguration',
      'Invalid Encryption Configuration: KMS does not run on this machine, so that only AWS_OWNED_KEY can be given',
    )
  }
  throw violation(
    `Value '${type}' at 'encryptionConfiguration.type' failed to satisfy constraint: Member must satisfy enum value set: [AWS_OWNED_KEY, CUSTOMER_MANAGED_KMS_KEY]`,
  )
}

export const encryption = { type: 'AWS_OWNED_KEY' } as const
export const tracingOff = { enabled: false } as const

/** Whether the answer is to have data in it, or only what is known about it. */
export function wantsData(parameters: Parameters): boolean {
  return parameters.optionalChoice('includedData', includedData) !== 'METADATA_ONLY'
}

/** Whether to publish a version, and how to describe it. */
export function readPublish(
  parameters: Parameters,
): { readonly description: string | undefined } | undefined {
  const description = parameters.optionalText('versionDescription')
  if (parameters.optionalBoolean('publish') === true) return { description }
  if (description === undefined) return undefined
  throw new ServiceError('ValidationException', 'Version description can only be set when publish is true')
}
