import { randomUUID } from 'node:crypto'
import { ServiceError, type ServiceOperation } from '@stepwright/local-server'
import type { Queue } from '../queue/queue.ts'
import type { Queues } from '../queue/queues.ts'
import { numberOf, optionalText, textOf } from './input.ts'

interface MoveTask {
  readonly TaskHandle: string
  readonly SourceArn: string
  readonly DestinationArn?: string
  readonly Status: 'COMPLETED'
  readonly StartedTimestamp: number
  readonly ApproximateNumberOfMessagesMoved: number
  readonly ApproximateNumberOfMessagesToMove: number
}

/** As many as AWS tells of a source. */
const maxTasks = 10

/** Sends dead letters back to where they came from. Here that takes no time, so that nothing is left to cancel. */
export function moveOperations(queues: Queues): Record<string, ServiceOperation> {
  let tasks: readonly MoveTask[] = []
  const queueOf = (arn: string, parameter: string): Queue => {
    const queue = queues.byArn(arn)
    if (queue) return queue
    throw new ServiceError(
      'ResourceNotFoundException',
      `The resource that you specified for the ${parameter} parameter doesn't exist.`,
      404,
    )
  }

  return {
    StartMessageMoveTask: input => {
      const sourceArn = textOf(input, 'SourceArn')
      const source = queueOf(sourceArn, 'SourceArn')
      const isDeadLetterQueue = queues
        .list()
        .some(({ header }) => header.settings.redrive?.deadLetterArn === sourceArn)
      if (!isDeadLetterQueue) {
        throw new ServiceError(
          'InvalidParameterValue',
          'Source queue must be configured as a Dead Letter Queue.',
        )
      }
      const destinationArn = optionalText(input, 'DestinationArn')
      const destination = destinationArn === undefined ? undefined : queueOf(destinationArn, 'DestinationArn')
      const nowMs = queues.now()
      const all = [...source.receivable(nowMs)]
      const movable = all.flatMap(message => {
        const target = destination ?? queues.byArn(message.deadLetterOf ?? '')
        return target ? [{ message, target }] : []
      })
      for (const { message, target } of movable) {
        const { deadLetterOf: _, sequenceNumber, ...sent } = message
        target.put({
          ...sent,
          id: randomUUID(),
          sentMs: nowMs,
          ...(sequenceNumber !== undefined && { sequenceNumber: queues.nextSequenceNumber() }),
          delivery: { visibleMs: nowMs, receives: 0 },
        })
        source.remove(message.id)
        queues.wake(target)
      }
      const task: MoveTask = {
        TaskHandle: Buffer.from(randomUUID()).toString('base64'),
        SourceArn: sourceArn,
        ...(destinationArn !== undefined && { DestinationArn: destinationArn }),
        Status: 'COMPLETED',
        StartedTimestamp: nowMs,
        ApproximateNumberOfMessagesMoved: movable.length,
        ApproximateNumberOfMessagesToMove: all.length,
      }
      const ofSource = [task, ...tasks.filter(isOf(sourceArn))].slice(0, maxTasks)
      tasks = [...ofSource, ...tasks.filter(each => !isOf(sourceArn)(each))]
      return { TaskHandle: task.TaskHandle }
    },
    ListMessageMoveTasks: input => {
      const sourceArn = textOf(input, 'SourceArn')
      queueOf(sourceArn, 'SourceArn')
      const shown = numberOf(input, 'MaxResults', [1, maxTasks]) ?? 1
      const results = tasks.filter(isOf(sourceArn)).slice(0, shown)
      return { Results: results.map(({ TaskHandle: _, ...shown }) => shown) }
    },
    CancelMessageMoveTask: () => {
      throw new ServiceError('ResourceNotFoundException', 'Task does not exist.', 404)
    },
  }
}

function isOf(sourceArn: string): (task: MoveTask) => boolean {
  return ({ SourceArn }) => SourceArn === sourceArn
}
