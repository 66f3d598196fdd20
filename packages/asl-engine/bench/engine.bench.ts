import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { cachedFile, compare, figure, peakRssMb } from '@stepwright/bench'
import { StateMachine as AlsStateMachine } from 'aws-local-stepfunctions'
import { createEngine } from '../src/index.ts'
import { maxConcurrency, runRows, writeRows } from '../test/rows.ts'
import { runBare } from './bare-rows.ts'
import { loopMachine, mapMachine } from './machines.ts'

const transitions = 10_000
const itemCount = 10_000
const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:work'

const loopInput = { left: (transitions - 2) / 2 }
const loopEngine = createEngine({ definition: loopMachine() })
const loopAls = new AlsStateMachine(JSON.parse(JSON.stringify(loopMachine())))

const loop = await compare('Pass and Choice, 10,000 transitions', {
  ours: async () => {
    const result = await loopEngine.run(loopInput).result
    return result.status === 'SUCCEEDED' ? result.output : result
  },
  als: () => loopAls.run(loopInput).result,
})
figure('engine.loop.vs_als', loop.als.medianMs / loop.ours.medianMs, { atLeast: 20 })

const items = Array.from({ length: itemCount }, (_, index) => ({ index }))
async function work(item: unknown) {
  return { ...(item as object), done: true }
}
// 70,000 events are more than a Standard execution may have.
const mapEngine = createEngine({
  definition: mapMachine(functionArn),
  invoke: (_arn, item) => work(item),
  type: 'EXPRESS',
  limits: { payloadBytes: 2 ** 30 },
})
const mapAls = new AlsStateMachine(JSON.parse(JSON.stringify(mapMachine(functionArn))))

const map = await compare('Map, 10,000 items, a trivial task', {
  ours: async () => {
    const result = await mapEngine.run(items).result
    return result.status === 'SUCCEEDED' ? result.output : result
  },
  als: () => mapAls.run(items, { overrides: { taskResourceLocalHandlers: { Work: work } } }).result,
})
figure('engine.map.vs_als', map.als.medianMs / map.ours.medianMs, { atLeast: 10 })

const rows = 1_000_000
const rowsFile = await cachedFile(`engine-rows-${rows}.csv`, path => writeRows(path, rows))
const rssMb = await peakRssMb(join(import.meta.dirname, '../test/distributed-map.ts'), [
  rowsFile,
  String(rows),
])
figure('engine.distributed.rss_mb', rssMb, { atMost: 160 })

const distributed = await compare(
  'Distributed Map, 1,000,000 rows of CSV, a trivial task',
  {
    ours: async () => {
      const run = await runRows(() => createReadStream(rowsFile), {
        Transformation: 'COMPACT',
        OutputType: 'JSONL',
      })
      return { worked: run.worked, sum: run.sum }
    },
    bare: () => runBare(createReadStream(rowsFile), maxConcurrency),
  },
  { rounds: 5 },
)
figure('engine.distributed.rows_per_s.vs_bare', distributed.bare.medianMs / distributed.ours.medianMs, {
  atLeast: 0.2,
})
