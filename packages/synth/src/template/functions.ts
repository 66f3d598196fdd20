import { type FunctionDeclaration, functionDefaults } from '@stepwright/app'
import { usesDatabase } from '@stepwright/policy'
import { type Deployment, isCalledByEvents } from '../deployment.ts'
import { mergeResources } from './merge-resources.ts'
import { roleResource } from './roles.ts'
import { getAtt, logicalId, ref, sub, type TemplateResources, toTags } from './template.ts'

/** Where the code of a function is: in CloudFormation's terms. */
export type CodeOf = (functionName: string) => Readonly<Record<string, unknown>>

/** Each function with its role and its log group. */
export function functionResources(deployment: Deployment, codeOf: CodeOf): TemplateResources {
  const { app, names, inVpc } = deployment
  const declared: readonly (readonly [string, FunctionDeclaration])[] = Object.entries(app.functions)
  return mergeResources(
    ...declared.map(([name, { memoryMb, timeoutSeconds, concurrency, task }]): TemplateResources => {
      const id = functionId(name)
      const functionName = names.functions[name] as string
      return {
        [`${id}Logs`]: {
          Type: 'AWS::Logs::LogGroup',
          Properties: {
            LogGroupName: `/aws/lambda/${functionName}`,
            RetentionInDays: deployment.logRetentionDays,
            Tags: toTags(deployment.tags),
          },
          DeletionPolicy: 'Delete',
          UpdateReplacePolicy: 'Delete',
        },
        [`${id}Role`]: roleResource(deployment, name, 'function'),
        [id]: {
          Type: 'AWS::Lambda::Function',
          Properties: {
            FunctionName: functionName,
            Description: task.description ?? `${app.name}: ${task.name}`,
            Architectures: ['arm64'],
            Runtime: 'nodejs24.x',
            Handler: 'index.handler',
            Code: codeOf(name),
            Role: getAtt(`${id}Role`, 'Arn'),
            MemorySize: memoryMb ?? functionDefaults.memoryMb,
            Timeout: timeoutSeconds ?? functionDefaults.timeoutSeconds,
            ...(concurrency !== undefined && { ReservedConcurrentExecutions: concurrency }),
            Environment: {
              Variables: Object.fromEntries(
                Object.entries(deployment.environmentOf(name)).map(([key, value]) => [key, sub(value)]),
              ),
            },
            TracingConfig: { Mode: 'Active' },
            LoggingConfig: { LogGroup: ref(`${id}Logs`), LogFormat: 'JSON' },
            ...(inVpc &&
              usesDatabase(app, name) && {
                VpcConfig: {
                  SecurityGroupIds: [getAtt('FunctionsSecurityGroup', 'GroupId')],
                  SubnetIds: ref('SubnetIds'),
                },
              }),
            Tags: toTags(deployment.tags),
          },
        },
        ...(isCalledByEvents(app, name) && {
          [`${id}Events`]: {
            Type: 'AWS::Lambda::EventInvokeConfig',
            Properties: {
              FunctionName: ref(id),
              Qualifier: '$LATEST',
              MaximumRetryAttempts: 2,
              DestinationConfig: { OnFailure: { Destination: getAtt('FailedEvents', 'Arn') } },
            },
          },
        }),
      }
    }),
  )
}

export function functionId(name: string): string {
  return logicalId(name, 'Function')
}
