import { expect, it } from 'vitest'
import { routes } from './csv-processor.ts'
import { createMemoryWorld } from './test/memory-world.ts'
import { toUserLog } from './test/user-log.ts'

it('measures how long validation takes, how many rows there were, and how many failed', async () => {
  const world = createMemoryWorld()
  const event = await world.put('data/a.csv', toUserLog({ rows: 1000, bad: [1, 20, 300] }))
  const { calls } = await world.run(event)
  const inputOf = (state: string) => calls.find(call => call.state === state)?.input as never

  const found: unknown[] = []
  const metrics = { add: (...metric: unknown[]) => void found.push(metric) }
  let ms = 0
  const now = () => (ms += 1500)
  await routes.CSV_VALIDATION.run(inputOf('ValidateCSVFile'), world.ports, { metrics, now })
  await routes.RESULT_AGGREGATION.run(inputOf('AggregateResults'), world.ports, { metrics })
  expect(found).toEqual([
    ['CSVValidationDuration', 1.5, 'Seconds'],
    ['UserRecordsProcessed', 1000],
    ['ProcessingErrors', 3],
  ])
})
