import { type AlarmDeclaration, resolveSubstitutions, type WorkflowDeclaration } from '@stepwright/app'
import type { Deployment } from '../deployment.ts'
import { mergeResources } from './merge-resources.ts'
import { roleResource } from './roles.ts'
import { getAtt, logicalId, ref, sub, type TemplateResources, toTags } from './template.ts'

/** Each state machine with its role and its log group: the definition is the text that was tested. */
export function workflowResources(deployment: Deployment): TemplateResources {
  const { app, names, definitions } = deployment
  const declared: readonly (readonly [string, WorkflowDeclaration])[] = Object.entries(app.workflows ?? {})
  return mergeResources(
    ...declared.map(([name, { type = 'STANDARD', logging = {} }]): TemplateResources => {
      const id = workflowId(name)
      const { level = 'ALL', includeData = false } = logging
      const logs = level !== 'OFF'
      return {
        ...(logs && {
          [`${id}Logs`]: {
            Type: 'AWS::Logs::LogGroup',
            Properties: {
              // The prefix keeps the account's resource policy for logs from growing.
              LogGroupName: `/aws/vendedlogs/states/${names.workflows[name]}`,
              RetentionInDays: deployment.logRetentionDays,
              Tags: toTags(deployment.tags),
            },
            DeletionPolicy: 'Delete',
            UpdateReplacePolicy: 'Delete',
          },
        }),
        [`${id}Role`]: roleResource(deployment, name, 'workflow'),
        [id]: {
          Type: 'AWS::StepFunctions::StateMachine',
          Properties: {
            StateMachineName: names.workflows[name],
            StateMachineType: type,
            DefinitionString: definitions[name],
            DefinitionSubstitutions: substitutionsOf(deployment, name),
            RoleArn: getAtt(`${id}Role`, 'Arn'),
            ...(logs && {
              LoggingConfiguration: {
                Level: level,
                IncludeExecutionData: includeData,
                Destinations: [{ CloudWatchLogsLogGroup: { LogGroupArn: getAtt(`${id}Logs`, 'Arn') } }],
              },
            }),
            TracingConfiguration: { Enabled: true },
            Tags: toTags(deployment.tags),
          },
        },
        ...aliasResources(deployment, name),
      }
    }),
  )
}

/** A version of each definition that is deployed, and the alias that moves to it. */
function aliasResources({ alias, app }: Deployment, workflow: string): TemplateResources {
  if (alias === undefined) return {}
  const id = workflowId(workflow)
  const { name, shift } = alias
  const alarms = Object.entries<AlarmDeclaration>(app.alarms ?? {}).flatMap(([key, { metric }]) =>
    'workflow' in metric && metric.workflow === workflow ? [ref(logicalId(key, 'Alarm'))] : [],
  )
  return {
    [`${id}Version`]: {
      Type: 'AWS::StepFunctions::StateMachineVersion',
      // The one before stays, for executions that began with it, and to go back to.
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        StateMachineArn: ref(id),
        StateMachineRevisionId: getAtt(id, 'StateMachineRevisionId'),
      },
    },
    [`${id}Alias`]: {
      Type: 'AWS::StepFunctions::StateMachineAlias',
      Properties: {
        Name: name,
        DeploymentPreference: {
          StateMachineVersionArn: ref(`${id}Version`),
          Type: shift === undefined ? 'ALL_AT_ONCE' : shift.type.toUpperCase(),
          ...(shift && { Percentage: shift.percent, Interval: shift.everyMinutes }),
          ...(alarms.length > 0 && { Alarms: alarms }),
        },
      },
    },
  }
}

/** What starts executions: the workflow, or its alias. */
export function startedId({ alias }: Deployment, workflow: string): string {
  return alias === undefined ? workflowId(workflow) : `${workflowId(workflow)}Alias`
}

export function workflowId(name: string): string {
  return logicalId(name, 'StateMachine')
}

/** What stands for each placeholder that the definition has, and for no other. */
function substitutionsOf(
  { app, places, definitions }: Pick<Deployment, 'app' | 'places' | 'definitions'>,
  workflow: string,
): Readonly<Record<string, unknown>> {
  const used = new Set(
    [...(definitions[workflow] ?? '').matchAll(/\$\{([^{}!]+)\}/g)].map(([, name]) => name),
  )
  return Object.fromEntries(
    Object.entries(resolveSubstitutions(app, workflow, places))
      .filter(([name]) => used.has(name))
      .map(([name, value]) => [name, sub(value)]),
  )
}
