import { TaskFailure } from '@stepwright/asl-engine'
import { serviceName } from '../service-name.ts'

/** What a client of the SDK throws for a refusal of the service. */
interface Refusal extends Error {
  readonly Code?: string
  readonly $metadata: { readonly httpStatusCode?: number; readonly requestId?: string }
}

/** What version 1 of AWS's Java SDK calls a service in messages, and an error that it has no class for. */
const names: Readonly<Record<string, readonly [service: string, exception: string]>> = {
  dynamodb: ['AmazonDynamoDBv2', 'AmazonDynamoDBException'],
  sqs: ['AmazonSQS', 'AmazonSQSException'],
  sns: ['AmazonSNS', 'AmazonSNSException'],
  events: ['AmazonEventBridge', 'AmazonEventBridgeException'],
}

/** Names and words a refusal as Step Functions does, for optimised and for SDK integrations. */
export function toTaskFailure(
  service: string,
  thrown: unknown,
  isKnown: (errorName: string) => boolean,
): unknown {
  if (thrown instanceof TaskFailure || !(thrown instanceof Error)) return thrown
  const prefix = serviceName(service)
  if (!isRefusal(thrown)) return new TaskFailure(`${prefix}.SdkClientException`, thrown.message)
  const { name, message, Code: code = name, $metadata } = thrown
  const { httpStatusCode: status = 400, requestId = 'local' } = $metadata
  const known = isKnown(name) ? (name.endsWith('Exception') ? name : `${name}Exception`) : undefined
  if (service.startsWith('aws-sdk:')) {
    const extended = service === 'aws-sdk:s3' ? ', Extended Request ID: local' : ''
    return new TaskFailure(
      `${prefix}.${known ?? `${prefix}Exception`}`,
      `${message} (Service: ${prefix}, Status Code: ${status}, Request ID: ${requestId}${extended}) (SDK Attempt Count: 1)`,
    )
  }
  const [told = prefix, exception = `Amazon${prefix}Exception`] = names[service] ?? []
  return new TaskFailure(
    `${prefix}.${known ?? exception}`,
    `${message} (Service: ${told}; Status Code: ${status}; Error Code: ${code}; Request ID: ${requestId}; Proxy: null)`,
  )
}

function isRefusal(error: Error): error is Refusal {
  const { $metadata } = error as Partial<Refusal>
  return $metadata?.httpStatusCode !== undefined
}
