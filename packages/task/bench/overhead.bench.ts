import { compare, figure } from '@stepwright/bench'
import type { Context } from 'aws-lambda'
import { handler as handwritten } from './handlers/handwritten.ts'
import { handler as withTask } from './handlers/with-task.ts'

const calls = 5_000
const context = {
  awsRequestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
  functionName: 'reserve-stock',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:reserve-stock',
  memoryLimitInMB: '128',
  getRemainingTimeInMillis: () => 30_000,
} as Context

function many(handler: (event: unknown, context: Context) => Promise<{ left: number }>) {
  return async () => {
    let sum = 0
    for (let count = 1; count <= calls; count += 1) sum += (await handler({ sku: 'A1', count }, context)).left
    return sum
  }
}

// The metrics that both print are measured, but not shown.
const write = process.stdout.write
process.stdout.write = (chunk, ...rest) =>
  String(chunk).startsWith('{"_aws"') || write.call(process.stdout, chunk, ...(rest as []))

const times = await compare(
  `${calls} warm invocations`,
  { task: many(withTask), handwritten: many(handwritten) },
  { rounds: 15, warmups: 3 },
)
console.log(
  `  an invocation: ${((times.task.medianMs / calls) * 1000).toFixed(1)} µs, handwritten ${((times.handwritten.medianMs / calls) * 1000).toFixed(1)} µs`,
)
figure('task.overhead.vs_handwritten', times.task.medianMs / times.handwritten.medianMs, { atMost: 1.3 })
