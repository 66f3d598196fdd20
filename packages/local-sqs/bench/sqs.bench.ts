import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compare, figure, forkServer, sendAll } from '@stepwright/bench'

const perRound = 3000
/** Close to the 120,000 that SQS allows. */
const inFlight = 119_900
const script = join(import.meta.dirname, 'bench-server.ts')

function call(
  endpoint: string,
  operation: string,
  count: number,
  input: (index: number) => object,
  queue = 'work',
): Promise<void> {
  const QueueUrl = `${endpoint}/000000000000/${queue}`
  const place = operation === 'CreateQueue' ? {} : { QueueUrl }
  return sendAll(endpoint, count, index => JSON.stringify({ ...place, ...input(index) }), {
    'x-amz-target': `AmazonSQS.${operation}`,
    'content-type': 'application/x-amz-json-1.0',
  })
}

const directory = await mkdtemp(join(tmpdir(), 'stepwright-sqs-bench-'))
try {
  await using bare = await forkServer(script, ['bare', directory])
  await using ours = await forkServer(script, ['sqs', join(directory, 'data')])
  await call(ours.endpoint, 'CreateQueue', 1, () => ({ QueueName: 'work' }))
  const send = (endpoint: string) =>
    call(endpoint, 'SendMessage', perRound, index => ({ MessageBody: `order ${index}` }))
  const sends = await compare('3,000 times SendMessage, kept on disk', {
    bare: () => send(bare.endpoint),
    ours: () => send(ours.endpoint),
  })
  figure('sqs.send.vs_bare_http', sends.bare.medianMs / sends.ours.medianMs, { atLeast: 0.6 })
  // Visible again at once, so that every round finds the same queue.
  const receive = (endpoint: string) =>
    call(endpoint, 'ReceiveMessage', perRound, () => ({ VisibilityTimeout: 0 }))
  const receives = await compare('3,000 times ReceiveMessage, kept on disk', {
    bare: () => receive(bare.endpoint),
    ours: () => receive(ours.endpoint),
  })
  figure('sqs.receive.vs_bare_http', receives.bare.medianMs / receives.ours.medianMs, { atLeast: 0.5 })

  await call(ours.endpoint, 'CreateQueue', 1, () => ({ QueueName: 'busy' }), 'busy')
  const batches = inFlight / 10
  const Entries = Array.from({ length: 10 }, (_, index) => ({ Id: String(index), MessageBody: 'order' }))
  await call(ours.endpoint, 'SendMessageBatch', batches, () => ({ Entries }), 'busy')
  const keep = { MaxNumberOfMessages: 10, VisibilityTimeout: 43_200 }
  await call(ours.endpoint, 'ReceiveMessage', batches, () => keep, 'busy')
  await call(ours.endpoint, 'SendMessage', 100, () => ({ MessageBody: 'order' }), 'busy')
  const receiveOne = (queue: string) =>
    call(ours.endpoint, 'ReceiveMessage', perRound, () => ({ VisibilityTimeout: 0 }), queue)
  const flights = await compare('3,000 times ReceiveMessage, beside 119,900 messages in flight or none', {
    none: () => receiveOne('work'),
    many: () => receiveOne('busy'),
  })
  figure('sqs.receive.in_flight.vs_none', flights.many.medianMs / flights.none.medianMs, { atMost: 1.5 })
} finally {
  await rm(directory, { recursive: true, force: true })
}
