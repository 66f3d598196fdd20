import type { Deployment } from '../deployment.ts'
import { functionId } from './functions.ts'
import { logicalId, type TemplateResource } from './template.ts'
import { workflowId } from './workflows.ts'

const half = { width: 12, height: 6 }

/** Executions, functions, alarms and the app's own metrics on one page. */
export function dashboardResource(deployment: Deployment): TemplateResource {
  const { app, stage } = deployment
  const alarms = Object.keys(app.alarms ?? {}).map(name => `\${${logicalId(name, 'Alarm')}.Arn}`)
  const widgets = [
    ...(alarms.length === 0
      ? []
      : [{ type: 'alarm', width: 24, height: 3, properties: { title: 'Alarms', alarms } }]),
    ...Object.keys(app.workflows ?? {}).flatMap(name => [executions(name), durations(name)]),
    functions('Errors', app.functions),
    functions('Duration', app.functions),
  ]
  return {
    Type: 'AWS::CloudWatch::Dashboard',
    Properties: {
      DashboardName: [app.name, ...(stage === undefined ? [] : [stage])].join('-'),
      DashboardBody: { 'Fn::Sub': JSON.stringify({ widgets }) },
    },
  }
}

function executions(name: string): object {
  const arn = `\${${workflowId(name)}}`
  return graph(
    `${name}: executions`,
    ['Started', 'Succeeded', 'Failed', 'TimedOut', 'Aborted'].map(each => [
      'AWS/States',
      `Executions${each}`,
      'StateMachineArn',
      arn,
    ]),
    'Sum',
  )
}

function durations(name: string): object {
  const arn = `\${${workflowId(name)}}`
  return graph(`${name}: how long`, [['AWS/States', 'ExecutionTime', 'StateMachineArn', arn]], 'p95')
}

function functions(metric: string, declared: Readonly<Record<string, unknown>>): object {
  return graph(
    `functions: ${metric}`,
    Object.keys(declared).map(name => ['AWS/Lambda', metric, 'FunctionName', `\${${functionId(name)}}`]),
    metric === 'Errors' ? 'Sum' : 'p95',
  )
}

function graph(title: string, metrics: readonly (readonly string[])[], stat: string): object {
  return {
    type: 'metric',
    ...half,
    properties: { title, metrics, stat, period: 300, region: `\${AWS::Region}`, view: 'timeSeries' },
  }
}
