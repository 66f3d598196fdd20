import { callJsonService } from './call-service.ts'
import { ServiceError } from './service-error.ts'

/** Where the services are that events and notifications are delivered to. */
export interface TargetEndpoints {
  readonly lambda?: string
  readonly sns?: string
  readonly sqs?: string
  readonly stepFunctions?: string
}

export interface MessageOptions {
  /** For FIFO queues. */
  readonly messageGroupId?: string
  readonly messageDeduplicationId?: string
  readonly messageAttributes?: object
}

/** Hands a text to what an ARN names. @throws what the service there answered, or that there is none */
export type Deliver = (arn: string, payload: string, options?: MessageOptions) => Promise<void>

export function createDelivery(endpoints: TargetEndpoints): Deliver {
  return async (arn, payload, options = {}) => {
    // Looked at late: services know each other in circles, and one of them starts last.
    const { lambda, sns, sqs, stepFunctions } = endpoints
    const [, , service, , account, resource = '', name = ''] = arn.split(':')
    if (service === 'sqs' && sqs !== undefined) {
      const input = toMessage(`${sqs}/${account}/${resource}`, payload, options)
      await callJsonService({ endpoint: sqs, target: 'AmazonSQS.SendMessage', version: '1.0', input })
    } else if (service === 'lambda' && lambda !== undefined) {
      await invoke(lambda, name, payload)
    } else if (service === 'states' && stepFunctions !== undefined) {
      await callJsonService({
        endpoint: stepFunctions,
        target: 'AWSStepFunctions.StartExecution',
        version: '1.0',
        input: { stateMachineArn: arn, input: payload },
      })
    } else if (service === 'sns' && sns !== undefined) {
      await publish(sns, arn, payload)
    } else throw new ServiceError('TargetMissing', `Nothing on this machine answers ${arn}`)
  }
}

function toMessage(QueueUrl: string, MessageBody: string, options: MessageOptions): object {
  const { messageGroupId, messageDeduplicationId, messageAttributes } = options
  return {
    QueueUrl,
    MessageBody,
    ...(messageGroupId !== undefined && { MessageGroupId: messageGroupId }),
    ...(messageDeduplicationId !== undefined && { MessageDeduplicationId: messageDeduplicationId }),
    ...(messageAttributes !== undefined && { MessageAttributes: messageAttributes }),
  }
}

/** Lambda tries an event again by itself, so that nothing is to be waited for. */
async function invoke(endpoint: string, name: string, payload: string): Promise<void> {
  const response = await fetch(`${endpoint}/2015-03-31/functions/${encodeURIComponent(name)}/invocations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-amz-invocation-type': 'Event' },
    body: payload,
  })
  const answer = await response.text()
  if (!response.ok)
    throw new ServiceError(
      response.headers.get('x-amzn-errortype') ?? 'UnknownError',
      answer,
      response.status,
    )
}

async function publish(endpoint: string, arn: string, payload: string): Promise<void> {
  const body = new URLSearchParams({ Action: 'Publish', TopicArn: arn, Message: payload })
  const response = await fetch(endpoint, { method: 'POST', body })
  const answer = await response.text()
  const [, message = answer] = /<Message>([^<]*)<\/Message>/.exec(answer) ?? []
  if (!response.ok) throw new ServiceError('PublishFailed', message, response.status)
}
