import type { AlarmDeclaration, AlarmMetric } from '@stepwright/app'
import { type Deployment, metricsNamespace } from '../deployment.ts'
import { functionId } from './functions.ts'
import { deadLetterNameOf } from './storage.ts'
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
    const of = (metric: Metric): object =>
      toStat(metric, periodMinutes * secondsPerMinute, statistics[statistic])
    return {
      [logicalId(name, 'Alarm')]: alarmOf(deployment, name, alarm, metricsOf(deployment, alarm.metric, of)),
    }
  })
  return Object.assign({}, ...resources, failedEventsAlarm(deployment))
}

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
  of: (metric: Metric) => object,
): readonly object[] {
  if ('workflow' in metric && metric.percentOfStarted === true) {
    const started = ofWorkflow(metric.workflow, 'ExecutionsStarted')
    return [
      { Id: 'share', Expression: 'IF(started > 0, 100 * counted / started, 0)', ReturnData: true },
      { Id: 'counted', MetricStat: of(ofWorkflow(metric.workflow, metric.name)), ReturnData: false },
      { Id: 'started', MetricStat: of(started), ReturnData: false },
    ]
  }
  return [{ Id: 'value', MetricStat: of(metricOf(deployment, metric)), ReturnData: true }]
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

export function metricOf({ app, names, stage }: Deployment, metric: AlarmMetric): Metric {
  if ('workflow' in metric) return ofWorkflow(metric.workflow, metric.name)
  if ('function' in metric)
    return {
      Namespace: 'AWS/Lambda',
      MetricName: metric.name,
      Dimensions: [{ Name: 'FunctionName', Value: ref(functionId(metric.function)) }],
    }
  if ('queue' in metric) {
    const queueName = names.queues[metric.queue] as string
    return ofQueue(
      metric.name === 'DeadLetters' ? deadLetterNameOf(queueName) : queueName,
      queueMetrics[metric.name],
    )
  }
  const by: string | undefined = app.metrics?.[metric.metric]?.by
  const task = by === undefined ? undefined : app.functions[by]?.task.name
  return {
    Namespace: metricsNamespace(app, stage),
    MetricName: metric.metric,
    // Powertools publishes by the task's name.
    Dimensions: [{ Name: 'service', Value: task ?? app.name }],
  }
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
