import { gzipSync } from 'node:zlib'
import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn'
import { compare, figure } from '@stepwright/bench'
import { bundlePages } from '../scripts/bundle-pages.ts'
import { openConsole } from '../test/open-console.ts'

const [script, style] = await bundlePages()
figure('console.bundle_gzip_kb', (gzipSync(script).length + gzipSync(style).length) / 1000, { atMost: 150 })

await using world = await openConsole('csv-processor')
const client = new SFNClient(world.running.services.stepFunctions.clientConfig)
const one = { StartAt: 'One', States: { One: { Type: 'Pass', End: true } } }
const definition = { StartAt: 'Each', States: { Each: { Type: 'Map', ItemProcessor: one, End: true } } }
const roleArn = 'arn:aws:iam::000000000000:role/local'
const { stateMachineArn } = await client.send(
  new CreateStateMachineCommand({ name: 'long', definition: JSON.stringify(definition), roleArn }),
)
const input = JSON.stringify(Array.from({ length: 2500 }, (_, index) => ({ index })))
const rounds = 5
/** One for each round, so that none is opened a second time. */
const executionArns: string[] = []
for (let round = 0; round <= rounds; round += 1) {
  const { executionArn = '' } = await client.send(new StartExecutionCommand({ stateMachineArn, input }))
  while ((await client.send(new DescribeExecutionCommand({ executionArn }))).status === 'RUNNING');
  executionArns.push(executionArn)
}
client.destroy()

const page = await world.browser.newPage()
await page.goto(world.console.url)
await page.getByRole('heading', { level: 1 }).waitFor()
/** From the click on the link to a state that answers a click. */
const times = await compare(
  'open an execution of 10,006 events',
  {
    async ours() {
      await page.evaluate(`location.hash = '#/execution?arn=${executionArns.pop()}'`)
      await page.getByRole('button', { name: /^Each, Map, succeeded/ }).waitFor()
      return page.locator('.facts').getByText('10,006').count()
    },
  },
  {
    rounds,
    async before() {
      await page.evaluate("location.hash = '#/executions'")
      await page.getByRole('heading', { name: 'Executions' }).waitFor()
    },
  },
)
figure('console.open_10000_events_ms', times.ours.medianMs, { atMost: 500 })
