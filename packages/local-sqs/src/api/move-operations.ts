import { randomUUID } from 'node:crypto'
import { ServiceError, type ServiceInput, type ServiceOperation } from '@stepwright/local-server'
import type { Queue } from '../queue/queue.ts'
import type { Queues } from '../queue/queues.ts'
import { optionalText, textOf } from './input.ts'

interface MoveTask {
  readonly TaskHandle: string
  readonly SourceArn: string
  readonly DestinationArn?: string
  readonly Status: 'COMPLETED'
  readonly StartedTimestamp: number
  readonly ApproximateNumberOfMessagesMoved: number
  readonly ApproximateNumberOfMessagesToMove: number
}

/** Sends dead letters back to where they came from. Here that takes no time, so that nothing is left to cancel. */
export function moveOperations(queues: Queues): Record<string, ServiceOperation> {
  const tasks: MoveTask[] = []
  const queueOf = (arn: string): Queue => {
    const queue = queues.byArn(arn)
    if (queue) return queue
    throw new ServiceError(
      'ResourceNotFoundException',
      "The resource that you specified for the SourceArn parameter doesn't exist.",
      404,
    )
  }
  const targetOf = (input: ServiceInput, deadLetterOf: string | undefined): Queue | undefined =>
    queues.byArn(optionalText(input, 'DestinationArn') ?? deadLetterOf ?? '')

  return {
    StartMessageMoveTask: input => {
      const sourceArn = textOf(input, 'SourceArn')
      const source = queueOf(sourceArn)
      const isDeadLetterQueue = queues
        .list()
        .some(({ header }) => header.settings.redrive?.deadLetterArn === sourceArn)
      if (!isDeadLetterQueue) {
        throw new ServiceError(
          'InvalidParameterValue',
          'Source queue must be configured as a Dead Letter Queue.',
        )
      }
      const all = [...source.messages()]
      const movable = all.flatMap(message => {
        const target = targetOf(input, message.deadLetterOf)
        return target ? [{ message, target }] : []
      })
      for (const { message, target } of movable) {
        const { deadLetterOf: _, ...sent } = message
        target.put({ ...sent, delivery: { visibleMs: queues.now(), receives: 0 } })
        source.remove(message.id)
        queues.wake(target)
      }
      const destinationArn = optionalText(input, 'DestinationArn')
      const task: MoveTask = {
        TaskHandle: Buffer.from(randomUUID()).toString('base64'),
        SourceArn: sourceArn,
        ...(destinationArn !== undefined && { DestinationArn: destinationArn }),
        Status: 'COMPLETED',
        StartedTimestamp: queues.now(),
        ApproximateNumberOfMessagesMoved: movable.length,
        ApproximateNumberOfMessagesToMove: all.length,
      }
      tasks.unshift(task)
      return { TaskHandle: task.TaskHandle }
    },
    ListMessageMoveTasks: input => {
      const sourceArn = textOf(input, 'SourceArn')
      queueOf(sourceArn)
      const results = tasks.filter(({ SourceArn }) => SourceArn === sourceArn).slice(0, 10)
      return { Results: results.map(({ TaskHandle: _, ...shown }) => shown) }
    },
    CancelMessageMoveTask: () => {
      throw new ServiceError('ResourceNotFoundException', 'Task does not exist.', 404)
    },
  }
}
