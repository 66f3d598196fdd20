import { ServiceError, type ServiceInput, type ServiceOperation } from '@stepwright/local-server'
import type { Queue } from '../queue/queue.ts'
import { type Queues, queueMissing } from '../queue/queues.ts'
import { shownSettings } from '../queue/settings.ts'
import { namesOf, numberOf, optionalText, textOf, textsOf } from './input.ts'

const purgePauseMs = 60_000
const maxResults = 1000
const computed = [
  'QueueArn',
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
  'CreatedTimestamp',
  'LastModifiedTimestamp',
] as const
const settable = [
  ...['VisibilityTimeout', 'DelaySeconds', 'MessageRetentionPeriod', 'ReceiveMessageWaitTimeSeconds'],
  ...['MaximumMessageSize', 'Policy', 'RedrivePolicy', 'RedriveAllowPolicy', 'FifoQueue'],
  ...['ContentBasedDeduplication', 'DeduplicationScope', 'FifoThroughputLimit', 'SqsManagedSseEnabled'],
  ...['KmsMasterKeyId', 'KmsDataKeyReusePeriodSeconds'],
]

export function queueOperations(
  queues: Queues,
  urlOf: (queue: Queue) => string,
): Record<string, ServiceOperation> {
  const purgedMs = new Map<string, number>()
  const queueOf = (input: ServiceInput): Queue => queues.at(textOf(input, 'QueueUrl'))

  return {
    CreateQueue: input => {
      const queue = queues.create(
        textOf(input, 'QueueName'),
        textsOf(input, 'Attributes'),
        textsOf(input, 'tags'),
      )
      return { QueueUrl: urlOf(queue) }
    },
    GetQueueUrl: input => {
      const queue = queues.named(textOf(input, 'QueueName'))
      const owner = optionalText(input, 'QueueOwnerAWSAccountId')
      // There is one account here.
      if (owner !== undefined && owner !== queues.arnOf(queue).split(':')[4]) throw queueMissing()
      return { QueueUrl: urlOf(queue) }
    },
    ListQueues: input => {
      const prefix = optionalText(input, 'QueueNamePrefix') ?? ''
      const urls = queues
        .list()
        .filter(({ header }) => header.name.startsWith(prefix))
        .map(urlOf)
        .sort()
      return page(input, 'QueueUrls', urls)
    },
    DeleteQueue: input => {
      const queue = queueOf(input)
      queues.delete(queue)
      purgedMs.delete(queue.header.name)
      return {}
    },
    GetQueueAttributes: input => {
      const queue = queueOf(input)
      const asked = namesOf(input, 'AttributeNames')
      for (const name of asked) {
        if (name !== 'All' && !settable.includes(name) && !(computed as readonly string[]).includes(name))
          throw new ServiceError('InvalidAttributeName', `Unknown Attribute ${name}.`)
      }
      const shown = Object.entries(attributesOf(queues, queue)).filter(
        ([name]) => asked.includes('All') || asked.includes(name),
      )
      return shown.length === 0 ? {} : { Attributes: Object.fromEntries(shown) }
    },
    SetQueueAttributes: input => {
      queues.change(queueOf(input), textsOf(input, 'Attributes'))
      return {}
    },
    PurgeQueue: input => {
      const queue = queueOf(input)
      const { name } = queue.header
      const nowMs = queues.now()
      if (nowMs - (purgedMs.get(name) ?? Number.NEGATIVE_INFINITY) < purgePauseMs) {
        throw new ServiceError(
          'PurgeQueueInProgress',
          `Only one PurgeQueue operation on ${name} is allowed every 60 seconds.`,
          403,
        )
      }
      purgedMs.set(name, nowMs)
      queue.purge()
      return {}
    },
    TagQueue: input => {
      const queue = queueOf(input)
      queue.change({ tags: { ...queue.header.tags, ...textsOf(input, 'Tags') } })
      return {}
    },
    UntagQueue: input => {
      const queue = queueOf(input)
      const gone = namesOf(input, 'TagKeys')
      const left = Object.entries(queue.header.tags).filter(([key]) => !gone.includes(key))
      queue.change({ tags: Object.fromEntries(left) })
      return {}
    },
    ListQueueTags: input => {
      const { tags } = queueOf(input).header
      return Object.keys(tags).length === 0 ? {} : { Tags: tags }
    },
    ListDeadLetterSourceQueues: input => {
      const arn = queues.arnOf(queueOf(input))
      const sources = queues.list().filter(each => each.header.settings.redrive?.deadLetterArn === arn)
      return page(input, 'queueUrls', sources.map(urlOf).sort())
    },
  }
}

/** One page of URLs; without MaxResults there is only one, of a thousand at most. */
function page(input: ServiceInput, name: string, urls: readonly string[]): object {
  const size = numberOf(input, 'MaxResults', [1, maxResults])
  const after = Buffer.from(optionalText(input, 'NextToken') ?? '', 'base64url').toString()
  const rest = urls.filter(url => url > after)
  const shown = rest.slice(0, size ?? maxResults)
  const hasMore = size !== undefined && rest.length > shown.length
  return {
    ...((shown.length > 0 || name === 'queueUrls') && { [name]: shown }),
    ...(hasMore && { NextToken: Buffer.from(shown.at(-1) ?? '').toString('base64url') }),
  }
}

function attributesOf(queues: Queues, queue: Queue): Record<string, string> {
  const { settings, createdMs, modifiedMs } = queue.header
  const { visible, inFlight, delayed } = queue.counts(queues.now())
  const told: Record<(typeof computed)[number], string> = {
    QueueArn: queues.arnOf(queue),
    ApproximateNumberOfMessages: String(visible),
    ApproximateNumberOfMessagesNotVisible: String(inFlight),
    ApproximateNumberOfMessagesDelayed: String(delayed),
    CreatedTimestamp: String(Math.floor(createdMs / 1000)),
    LastModifiedTimestamp: String(Math.floor(modifiedMs / 1000)),
  }
  return { ...shownSettings(settings), ...told }
}
