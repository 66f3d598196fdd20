import middy, { type MiddlewareObj } from '@middy/core'
import { defineBusinessError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import { toLambdaHandler } from '@stepwright/task/lambda'
import { type SqsMessage, toSqsHandler } from '@stepwright/task/sqs'
import type { Context } from 'aws-lambda'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'

class Unknown extends defineBusinessError('Unknown') {}

const greet = defineTask({
  name: 'greet',
  input: z.object({ name: z.string() }),
  output: z.object({ text: z.string() }),
  errors: [Unknown],
  async run({ name }, { seen }: { seen: string[] }) {
    if (name === '') throw new Unknown('nobody')
    seen.push(name)
    return { text: `hello ${name}` }
  },
})

/** A middleware of yours, which knows nothing of tasks. */
const failures: string[] = []
const shout: MiddlewareObj<{ name: string }, { text: string }> = {
  before: request => {
    request.event = { ...request.event, name: request.event.name.toUpperCase() }
  },
  after: request => {
    request.response = { text: `${request.response?.text}!` }
  },
  onError: ({ error }) => {
    failures.push(error?.name ?? '')
  },
}

it('takes middlewares itself, and they see the errors by their names', async () => {
  const handler = toLambdaHandler(greet, { ports: { seen: [] } }).use(shout)
  expect(await handler({ name: 'ann' })).toEqual({ text: 'hello ANN!' })
  await expect(handler({ name: '' })).rejects.toMatchObject({ name: 'Unknown' })
  expect(failures).toEqual(['Unknown'])
})

it('is a handler like any other to middy, whatever delivers to it', async () => {
  const seen: string[] = []
  const handler = middy(toSqsHandler(greet, { ports: { seen } })).before(request => {
    const Records = request.event.Records.map(message => ({ ...message, body: atob(message.body) }))
    request.event = { Records }
  })
  const Records: SqsMessage[] = [{ messageId: 'm-1', body: btoa('{"name":"bob"}') }]
  expect(await handler({ Records }, {} as Context)).toEqual({ batchItemFailures: [] })
  expect(seen).toEqual(['bob'])
})
