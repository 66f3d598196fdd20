import { type SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn'
import type { ObjectCreatedEvent, ObjectCreatedListener } from '@stepwright/local-s3'

/** EventBridge's rule: an object of that bucket starts an execution, with the event as its input. */
export interface ObjectCreatedRule {
  readonly bucket: string
  /** @default every key */
  readonly prefix?: string
  readonly suffix?: string
  /** The name of the state machine. */
  readonly stateMachine: string
  /** Makes a second delivery of the event start nothing. @default a new name each time, as EventBridge does */
  readonly executionName?: (event: ObjectCreatedEvent) => string
}

export function createRuleListener(
  rules: readonly ObjectCreatedRule[],
  client: SFNClient,
  arnOf: (stateMachine: string) => string,
): ObjectCreatedListener {
  return async event => {
    const { bucket, object } = event.detail
    const matching = rules.filter(
      ({ bucket: name, prefix = '', suffix = '' }) =>
        name === bucket.name && object.key.startsWith(prefix) && object.key.endsWith(suffix),
    )
    await Promise.all(matching.map(rule => start(rule, event)))
  }

  async function start(
    { stateMachine, executionName }: ObjectCreatedRule,
    event: ObjectCreatedEvent,
  ): Promise<void> {
    const name = executionName?.(event)
    try {
      await client.send(
        new StartExecutionCommand({
          stateMachineArn: arnOf(stateMachine),
          input: JSON.stringify(event),
          ...(name !== undefined && { name }),
        }),
      )
    } catch (error) {
      // The same object was announced before: that is what the name is for.
      if ((error as Error).name !== 'ExecutionAlreadyExists') throw error
    }
  }
}
