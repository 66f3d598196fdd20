import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checkWorkflow, parseDefinition } from '@stepwright/asl'
import { compare, figure } from '@stepwright/bench'
import { machineOf } from './machine.ts'

const tasks = {
  work: {
    name: 'work',
    errors: [
      { name: 'ValidationError', kind: 'business' },
      {
        name: 'TemporaryError',
        kind: 'retryable',
        retry: { intervalSeconds: 2, maxAttempts: 3, backoffRate: 2 },
      },
    ],
    input: { type: 'object', properties: { id: { type: 'string' } } },
    output: { type: 'object', properties: { again: { type: 'boolean' } } },
  },
} as const
const input = {
  type: 'object',
  properties: { id: { type: 'string' }, list: { type: 'array', items: {} } },
  required: ['id', 'list'],
}

function check(text: string): number {
  return checkWorkflow(parseDefinition(text), { tasks, input }).length
}
const texts = new Map([500, 2000, 8000].map(size => [size, JSON.stringify(machineOf(size), null, 2)]))

async function timeOf(size: number): Promise<number> {
  const times = await compare(`check, ${size} states`, { ours: () => check(texts.get(size) as string) })
  return times.ours.medianMs
}
const [small, middle, large] = [await timeOf(500), await timeOf(2000), await timeOf(8000)]
figure('asl.check_2000_states_ms', middle, { atMost: 80 })
figure('asl.check_8000_vs_500_per_state', large / 8000 / (small / 500), { atMost: 1.5 })

const samples = fileURLToPath(
  new URL('../../../../shared/conformance/definitions/aws-samples.json', import.meta.url),
)
if (existsSync(samples)) {
  const definitions = (JSON.parse(readFileSync(samples, 'utf8')) as { definition: unknown }[]).map(each =>
    JSON.stringify(each.definition, null, 2),
  )
  const times = await compare(`check, ${definitions.length} definitions of aws-samples`, {
    ours: () => definitions.map(text => checkWorkflow(parseDefinition(text)).length),
  })
  // the first run counts: a command checks once
  figure('asl.check_aws_samples_ms', Math.max(...times.ours.samplesMs), { atMost: 1000 })
} else console.log('no recordings beside the repository: aws-samples not measured')
