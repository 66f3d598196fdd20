import type { AlarmDeclaration, AlarmMetric } from '@stepwright/app'
import { type Deployment, metricsNamespace } from '../deployment.ts'
import { functionId } from './functions.ts'
import { mergeResources } from './merge-resources.ts'
import { logicalId, ref, type TemplateResources, toTags } from './template.ts'
import { workflowId } from './workflows.ts'

const secondsPerMinute = 60
const statistics = { sum: 'Sum', average: 'Average', maximum: 'Maximum', p95: 'p95' } as const

/** The alarms that the app declares, and one for events that nobody could take. */
export function alarmResources(deployment: Deployment): TemplateResources {
  const declared: readonly (readonly [string, AlarmDeclaration])[] = Object.entries(
    deployment.app.alarms ?? {},
  )
  const resources = declared.map(([name, alarm]): TemplateResources => {
    const { periodMinutes = 5, statistic = 'sum' } = alarm
    const period = periodMinutes * secondsPerMinute
    const of: ToStat = (metric, stat = statistics[statistic]) => toStat(metric, period, stat)
    const metrics = metricsOf(deployment, alarm.metric, of, statistic)
    return { [logicalId(name, 'Alarm')]: alarmOf(deployment, name, alarm, metrics) }
  })
  return mergeResources(...resources, failedEventsAlarm(deployment))
}

type Statistic = keyof typeof statistics
/** A metric by the statistic of its alarm, or by another. */
type ToStat = (metric: Metric, stat?: string) => object

interface Metric {
  readonly Namespace: string
  readonly MetricName: string
  readonly Dimensions: readonly { readonly Name: string; readonly Value: unknown }[]
}

function alarmOf(
  { app, tags }: Deployment,
  name: string,
  { description, runbook, above, periods = 1 }: AlarmDeclaration,
  Metrics: readonly object[],
) {
  return {
    Type: 'AWS::CloudWatch::Alarm',
    Properties: {
      AlarmDescription: `${app.name} ${name}: ${description}${runbook === undefined ? '' : ` Runbook: ${runbook}`}`,
      Metrics,
      ComparisonOperator: 'GreaterThanThreshold',
      Threshold: above,
      EvaluationPeriods: periods,
      DatapointsToAlarm: periods,
      // Nothing is published while nothing runs.
      TreatMissingData: 'notBreaching',
      AlarmActions: { 'Fn::If': ['HasAlarmTopic', [ref('AlarmTopicArn')], ref('AWS::NoValue')] },
      OKActions: { 'Fn::If': ['HasAlarmTopic', [ref('AlarmTopicArn')], ref('AWS::NoValue')] },
      Tags: toTags(tags),
    },
  }
}

function toStat(metric: Metric, Period: number, Stat: string): object {
  return { Metric: metric, Period, Stat }
}

function metricsOf(
  deployment: Deployment,
  metric: AlarmMetric,
  of: ToStat,
  statistic: Statistic,
): readonly object[] {
  if ('workflow' in metric && metric.percentOfStarted === true) {
    return shareOf(
      [ofWorkflow(metric.workflow, metric.name)],
      [ofWorkflow(metric.workflow, 'ExecutionsStarted')],
      of,
    )
  }
  if ('metric' in metric) {
    const counted = ownMetrics(deployment, metric.metric)
    if (metric.percentOf !== undefined) return shareOf(counted, ownMetrics(deployment, metric.percentOf), of)
    return together('value', counted, of, { ReturnData: true, statistic })
  }
  return together('value', [metricOf(deployment, metric)], of, { ReturnData: true, statistic })
}

/** 100 * one / all, where there are any. */
function shareOf(counted: readonly Metric[], all: readonly Metric[], of: ToStat): readonly object[] {
  return [
    {
      Id: 'share',
      Expression: 'IF(FILL(started, 0) > 0, 100 * FILL(counted, 0) / started, 0)',
      ReturnData: true,
    },
    ...together('counted', counted, of),
    ...together('started', all, of),
  ]
}

/** What several functions publish under one name, as one: an average is that of all values, not of averages. */
function together(
  Id: string,
  metrics: readonly Metric[],
  of: ToStat,
  { ReturnData = false, statistic = 'sum' }: { ReturnData?: boolean; statistic?: Statistic } = {},
): readonly object[] {
  const [only] = metrics
  if (metrics.length === 1 && only !== undefined) return [{ Id, MetricStat: of(only), ReturnData }]
  const parts = (suffix = '', stat?: string) =>
    metrics.map((metric, index) => ({
      Id: `${Id}${index}${suffix}`,
      MetricStat: of(metric, stat),
      ReturnData: false,
    }))
  const filled = (all: ReturnType<typeof parts>) => all.map(part => `FILL(${part.Id}, 0)`)
  if (statistic === 'average') {
    const [sums, counts] = [parts('sum', 'Sum'), parts('count', 'SampleCount')]
    const count = filled(counts).join(' + ')
    const Expression = `IF(${count} > 0, (${filled(sums).join(' + ')}) / (${count}), 0)`
    return [{ Id, Expression, ReturnData }, ...sums, ...counts]
  }
  const all = parts()
  const Expression = statistic === 'sum' ? filled(all).join(' + ') : `MAX([${filled(all).join(', ')}])`
  return [{ Id, Expression, ReturnData }, ...all]
}

/** The app's own: Powertools publishes them by the names of tasks. */
function ownMetrics({ app, stage }: Deployment, name: string): readonly Metric[] {
  const by: readonly string[] = app.metrics?.[name]?.by ?? []
  const services = by.map(each => app.functions[each]?.task.name as string)
  return (services.length === 0 ? [app.name] : services).map(service => ({
    Namespace: metricsNamespace(app, stage),
    MetricName: name,
    Dimensions: [{ Name: 'service', Value: service }],
  }))
}

function ofWorkflow(workflow: string, MetricName: string): Metric {
  return {
    Namespace: 'AWS/States',
    MetricName,
    Dimensions: [{ Name: 'StateMachineArn', Value: ref(workflowId(workflow)) }],
  }
}

const queueMetrics = {
  Depth: 'ApproximateNumberOfMessagesVisible',
  OldestSeconds: 'ApproximateAgeOfOldestMessage',
  DeadLetters: 'ApproximateNumberOfMessagesVisible',
} as const

function metricOf({ names }: Deployment, metric: Exclude<AlarmMetric, { readonly metric: string }>): Metric {
  if ('workflow' in metric) return ofWorkflow(metric.workflow, metric.name)
  if ('function' in metric)
    return {
      Namespace: 'AWS/Lambda',
      MetricName: metric.name,
      Dimensions: [{ Name: 'FunctionName', Value: ref(functionId(metric.function)) }],
    }
  const kind = metric.name === 'DeadLetters' ? 'deadLetterQueues' : 'queues'
  return ofQueue(names[kind][metric.queue] as string, queueMetrics[metric.name])
}

function ofQueue(queueName: string, MetricName: string): Metric {
  return { Namespace: 'AWS/SQS', MetricName, Dimensions: [{ Name: 'QueueName', Value: queueName }] }
}

function failedEventsAlarm(deployment: Deployment): TemplateResources {
  const { deadLetterQueueName } = deployment
  if (deadLetterQueueName === undefined) return {}
  const metric = ofQueue(deadLetterQueueName, queueMetrics.Depth)
  const alarm = {
    description: 'An event could not be delivered, or the function that it called failed three times.',
    runbook: 'docs/runbooks/dead-letters.md',
    above: 0,
  } as AlarmDeclaration
  return {
    FailedEventsAlarm: alarmOf(deployment, 'FailedEvents', alarm, [
      { Id: 'value', MetricStat: toStat(metric, 5 * secondsPerMinute, 'Maximum'), ReturnData: true },
    ]),
  }
}
