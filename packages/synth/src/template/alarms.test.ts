import { defineApp } from '@stepwright/app'
import { lambda } from '@stepwright/app/functions'
import { defineTask } from '@stepwright/task'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { planDeployment } from '../deployment.ts'
import { alarmResources } from './alarms.ts'

function task(name: string) {
  return defineTask({ name, input: z.unknown(), output: z.null(), errors: [], run: () => null })
}
const functions = { One: lambda(task('one'), {}), Two: lambda(task('two'), {}) }

interface Metric {
  readonly Id: string
  readonly Expression?: string
  readonly MetricStat?: { readonly Stat: string }
}

/** The metrics of an alarm on a metric that both functions publish. */
function metricsOf(statistic: 'sum' | 'average' | 'maximum') {
  const app = defineApp({
    name: 'shop',
    root: new URL('.', import.meta.url),
    functions,
    metrics: { Duration: { description: 'how long', by: [functions.One, functions.Two] } },
    alarms: { Slow: { description: 'slow', metric: { metric: 'Duration' }, statistic, above: 5 } },
  })
  const [alarm] = Object.values(alarmResources(planDeployment(app)))
  const { Metrics } = alarm?.Properties ?? { Metrics: [] }
  return (Metrics as Metric[]).map(({ Id, Expression, MetricStat }) => [Id, Expression ?? MetricStat?.Stat])
}

describe('an alarm on a metric that several functions publish', () => {
  it('adds sums up', () => {
    expect(metricsOf('sum')).toEqual([
      ['value', 'FILL(value0, 0) + FILL(value1, 0)'],
      ['value0', 'Sum'],
      ['value1', 'Sum'],
    ])
  })

  it('takes the average of all values, not the sum of averages', () => {
    const count = 'FILL(value0count, 0) + FILL(value1count, 0)'
    expect(metricsOf('average')).toEqual([
      ['value', `IF(${count} > 0, (FILL(value0sum, 0) + FILL(value1sum, 0)) / (${count}), 0)`],
      ['value0sum', 'Sum'],
      ['value1sum', 'Sum'],
      ['value0count', 'SampleCount'],
      ['value1count', 'SampleCount'],
    ])
  })

  it('takes the largest maximum', () => {
    expect(metricsOf('maximum')[0]).toEqual(['value', 'MAX([FILL(value0, 0), FILL(value1, 0)])'])
  })
})
