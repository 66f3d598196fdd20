import { isRuleTrigger, objectCreatedPattern, streamDefaults, type TriggerDeclaration } from '@stepwright/app'
import { arnOf } from '@stepwright/policy'
import type { Deployment } from '../deployment.ts'
import { escapeLiteral } from '../escape-literals.ts'
import { functionId } from './functions.ts'
import { mergeResources } from './merge-resources.ts'
import { roleResource } from './roles.ts'
import { queueOf, tableId } from './storage.ts'
import { getAtt, logicalId, ref, sub, type TemplateResource, type TemplateResources } from './template.ts'
import { startedId } from './workflows.ts'

const maxEventAgeSeconds = 3600

/** Rules of EventBridge, and the queues and streams that Lambda polls. What cannot be delivered is kept. */
export function triggerResources(deployment: Deployment): TemplateResources {
  const triggers: readonly (readonly [string, TriggerDeclaration])[] = Object.entries(
    deployment.app.triggers ?? {},
  )
  return mergeResources(
    failedEvents(
      deployment,
      triggers.flatMap(([name, trigger]) => (isRuleTrigger(trigger) ? [ruleId(name)] : [])),
    ),
    ...triggers.map(([name, trigger]): TemplateResources => {
      if (!isRuleTrigger(trigger)) return { [`${logicalId(name)}Poll`]: pollOf(trigger) }
      const id = ruleId(name)
      return { ...ruleResources(deployment, id, name, trigger), ...permissionOf(id, trigger) }
    }),
  )
}

function ruleId(trigger: string): string {
  return logicalId(trigger, 'Rule')
}

/** Of the app's own rules, and of no others. */
function failedEvents(deployment: Deployment, rules: readonly string[]): TemplateResources {
  const { deadLetterQueueName } = deployment
  if (deadLetterQueueName === undefined) return {}
  if (rules.length === 0) return queueOf(deployment, 'FailedEvents', deadLetterQueueName, {})
  return queueOf(deployment, 'FailedEvents', deadLetterQueueName, {}, [
    {
      Sid: 'FromRules',
      Effect: 'Allow',
      Principal: { Service: 'events.amazonaws.com' },
      Action: 'sqs:SendMessage',
      Resource: getAtt('FailedEvents', 'Arn'),
      Condition: { ArnEquals: { 'aws:SourceArn': rules.map(rule => getAtt(rule, 'Arn')) } },
    },
  ])
}

type RuleTrigger = Exclude<TriggerDeclaration, PolledTrigger>
type PolledTrigger = Extract<TriggerDeclaration, { readonly queue: string } | { readonly stream: string }>

function pollOf(trigger: PolledTrigger): TemplateResource {
  if (!('calls' in trigger))
    throw new TypeError('queues and streams call a function; a workflow is started by a function')
  return {
    Type: 'AWS::Lambda::EventSourceMapping',
    Properties: {
      FunctionName: ref(functionId(trigger.calls)),
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ...('queue' in trigger
        ? {
            EventSourceArn: getAtt(logicalId(trigger.queue, 'Queue'), 'Arn'),
            BatchSize: trigger.batchSize ?? 10,
          }
        : {
            EventSourceArn: getAtt(tableId(trigger.stream), 'StreamArn'),
            BatchSize: trigger.batchSize ?? streamDefaults.batchSize,
            StartingPosition: 'TRIM_HORIZON',
            // A change that fails holds up those behind it, until it is given up.
            BisectBatchOnFunctionError: true,
            MaximumRetryAttempts: streamDefaults.maxRetries,
            DestinationConfig: { OnFailure: { Destination: getAtt('FailedEvents', 'Arn') } },
          }),
    },
  }
}

function ruleResources(
  deployment: Deployment,
  id: string,
  name: string,
  trigger: RuleTrigger,
): TemplateResources {
  const starts = 'starts' in trigger
  const target = starts
    ? ref(startedId(deployment, trigger.starts))
    : getAtt(functionId(trigger.calls), 'Arn')
  const input = 'schedule' in trigger ? trigger.input : undefined
  return {
    ...(starts && { [`${id}Role`]: roleResource(deployment, name, 'trigger') }),
    [id]: {
      Type: 'AWS::Events::Rule',
      Properties: {
        Description: `${deployment.app.name}: ${name}`,
        State: 'ENABLED',
        ...('schedule' in trigger
          ? { ScheduleExpression: trigger.schedule }
          : { EventPattern: patternOf(deployment, trigger) }),
        Targets: [
          {
            Id: 'target',
            Arn: target,
            ...(starts && { RoleArn: getAtt(`${id}Role`, 'Arn') }),
            ...(input !== undefined && { Input: JSON.stringify(input) }),
            DeadLetterConfig: { Arn: getAtt('FailedEvents', 'Arn') },
            RetryPolicy: { MaximumEventAgeInSeconds: maxEventAgeSeconds, MaximumRetryAttempts: 10 },
          },
        ],
      },
    },
  }
}

function permissionOf(id: string, trigger: TriggerDeclaration): TemplateResources {
  if (!('calls' in trigger)) return {}
  return {
    [`${id}Permission`]: {
      Type: 'AWS::Lambda::Permission',
      Properties: {
        Action: 'lambda:InvokeFunction',
        FunctionName: getAtt(functionId(trigger.calls), 'Arn'),
        Principal: 'events.amazonaws.com',
        SourceArn: getAtt(id, 'Arn'),
      },
    },
  }
}

function patternOf(
  { app, names, places }: Deployment,
  trigger: Exclude<RuleTrigger, { readonly schedule: string }>,
): object {
  if ('event' in trigger) {
    const { source = [], detail = {} } = trigger.event
    // On one machine there are no other executions; an account has those of everybody.
    if (!source.includes('aws.states') || 'stateMachineArn' in detail) return trigger.event
    const stateMachineArn = Object.keys(app.workflows ?? {}).map(name =>
      arnOf('states', `stateMachine:${names.workflows[name]}`),
    )
    return { ...trigger.event, detail: { ...detail, stateMachineArn: withSubs(stateMachineArn) } }
  }
  const { bucket, prefix = '', suffix = '' } = trigger.objectCreated
  const key = { prefix: escapeLiteral(prefix), suffix: escapeLiteral(suffix) }
  return withSubs(objectCreatedPattern(places.bucketName(bucket), key)) as object
}

function withSubs(value: unknown): unknown {
  if (typeof value === 'string') return sub(value)
  if (Array.isArray(value)) return value.map(withSubs)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withSubs(each)]))
}
