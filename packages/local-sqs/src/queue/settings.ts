import { ServiceError } from '@stepwright/local-server'
import { parseRedriveAllow, type RedriveAllow } from './redrive-allow.ts'

/** A queue's attributes, as far as it acts on them. */
export interface QueueSettings {
  readonly fifo: boolean
  readonly visibilitySeconds: number
  readonly delaySeconds: number
  readonly retentionSeconds: number
  readonly waitSeconds: number
  readonly maxMessageBytes: number
  readonly contentBasedDeduplication: boolean
  /** Whether a deduplication id counts in its message group alone. */
  readonly deduplicatesByGroup: boolean
  readonly redrive: { readonly deadLetterArn: string; readonly maxReceives: number } | undefined
  /** The queues that may send dead letters to this one. @default all */
  readonly redriveAllow?: RedriveAllow | undefined
  /** Everything as it was given, to be told again. */
  readonly given: Readonly<Record<string, string>>
}

const maxSqsMessageBytes = 1_048_576
const twelveHoursSeconds = 43_200

const numbers: Readonly<Record<string, readonly [min: number, max: number, usual: number]>> = {
  VisibilityTimeout: [0, twelveHoursSeconds, 30],
  DelaySeconds: [0, 900, 0],
  MessageRetentionPeriod: [60, 1_209_600, 345_600],
  ReceiveMessageWaitTimeSeconds: [0, 20, 0],
  MaximumMessageSize: [1024, maxSqsMessageBytes, maxSqsMessageBytes],
}
const choices: Readonly<Record<string, readonly string[]>> = {
  FifoQueue: ['true'],
  ContentBasedDeduplication: ['true', 'false'],
  DeduplicationScope: ['queue', 'messageGroup'],
  FifoThroughputLimit: ['perQueue', 'perMessageGroupId'],
  SqsManagedSseEnabled: ['true', 'false'],
}
const policies = ['Policy', 'RedriveAllowPolicy', 'RedrivePolicy']
const unsupported = ['KmsMasterKeyId', 'KmsDataKeyReusePeriodSeconds']
const booleans = ['FifoQueue', 'ContentBasedDeduplication', 'SqsManagedSseEnabled']
const onlyFifo = ['ContentBasedDeduplication', 'DeduplicationScope', 'FifoThroughputLimit']

/** @throws ServiceError for an attribute that is not known, or a value that cannot be */
export function parseSettings(attributes: Readonly<Record<string, string>>): QueueSettings {
  const given = Object.fromEntries(
    // SQS takes "True" for true.
    Object.entries(attributes).map(([name, value]) => [
      name,
      booleans.includes(name) ? value.toLowerCase() : value,
    ]),
  )
  const fifo = given['FifoQueue'] === 'true'
  for (const [name, value] of Object.entries(given)) checkAttribute(name, value, fifo)
  const number = (name: string): number => Number(given[name] ?? numbers[name]?.[2])
  return {
    fifo,
    visibilitySeconds: number('VisibilityTimeout'),
    delaySeconds: number('DelaySeconds'),
    retentionSeconds: number('MessageRetentionPeriod'),
    waitSeconds: number('ReceiveMessageWaitTimeSeconds'),
    maxMessageBytes: number('MaximumMessageSize'),
    contentBasedDeduplication: given['ContentBasedDeduplication'] === 'true',
    deduplicatesByGroup: given['DeduplicationScope'] === 'messageGroup',
    redrive: parseRedrive(given['RedrivePolicy']),
    redriveAllow: parseRedriveAllow(given['RedriveAllowPolicy']),
    given,
  }
}

function checkAttribute(name: string, value: string, fifo: boolean): void {
  const range = Object.hasOwn(numbers, name) ? numbers[name] : undefined
  const [min = 0, max = 0] = range ?? []
  if (unsupported.includes(name)) {
    throw new ServiceError('InvalidAttributeName', `The attribute ${name} is not supported on this machine.`)
  }
  const isKnown = range !== undefined || Object.hasOwn(choices, name) || policies.includes(name)
  if (!isKnown || (!fifo && onlyFifo.includes(name)) || (name === 'FifoQueue' && !fifo)) {
    throw new ServiceError('InvalidAttributeName', `Unknown Attribute ${name}.`)
  }
  const isNumber = /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max
  if ((range !== undefined && !isNumber) || choices[name]?.includes(value) === false) {
    throw new ServiceError('InvalidAttributeValue', `Invalid value for the parameter ${name}.`)
  }
}

function parseRedrive(text: string | undefined): QueueSettings['redrive'] {
  if (text === undefined || text === '') return undefined
  const invalid = (reason: string): ServiceError =>
    new ServiceError(
      'InvalidParameterValue',
      `Value ${text} for parameter RedrivePolicy is invalid. Reason: ${reason}`,
    )
  let policy: Readonly<Record<string, unknown>>
  try {
    policy = JSON.parse(text)
  } catch {
    throw invalid('Redrive policy is not a valid JSON map.')
  }
  const { deadLetterTargetArn, maxReceiveCount } = policy ?? {}
  if (typeof deadLetterTargetArn !== 'string')
    throw invalid('Redrive policy does not contain mandatory attribute: deadLetterTargetArn.')
  if (maxReceiveCount === undefined)
    throw invalid('Redrive policy does not contain mandatory attribute: maxReceiveCount.')
  const maxReceives = typeof maxReceiveCount === 'object' ? Number.NaN : Number(maxReceiveCount)
  if (!Number.isInteger(maxReceives) || maxReceives < 1 || maxReceives > 1000)
    throw invalid(
      'Invalid value for maxReceiveCount: ' +
        `${JSON.stringify(maxReceiveCount)}, valid values are from 1 to 1000 both inclusive.`,
    )
  return { deadLetterArn: deadLetterTargetArn, maxReceives }
}

/** The attributes of a queue as GetQueueAttributes tells them. */
export function shownSettings({ fifo, given }: QueueSettings): Record<string, string> {
  const usual = Object.fromEntries(
    Object.entries(numbers).map(([name, [, , value]]) => [name, String(value)]),
  )
  const usualFifo = {
    FifoQueue: 'true',
    ContentBasedDeduplication: 'false',
    DeduplicationScope: 'queue',
    FifoThroughputLimit: 'perQueue',
  }
  return { ...usual, SqsManagedSseEnabled: 'true', ...(fifo ? usualFifo : {}), ...given }
}
