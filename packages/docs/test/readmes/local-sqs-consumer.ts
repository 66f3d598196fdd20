import { SQSClient } from '@aws-sdk/client-sqs'
import { testSqs } from '@stepwright/local-sqs/vitest'
import { afterAll } from 'vitest'

const { clientConfig, queueName } = testSqs()
const client = new SQSClient(clientConfig)
const mail = queueName('mail') // create it before use; nobody else has a queue of this name
afterAll(() => client.destroy())

export { mail }
