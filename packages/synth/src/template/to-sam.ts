import type { Deployment } from '../deployment.ts'
import { functionId } from './functions.ts'
import type { ScriptOf } from './glue.ts'
import type { Template, TemplateResource } from './template.ts'
import { toCloudFormation } from './to-cloudformation.ts'
import { workflowId } from './workflows.ts'

/** The app as a template of SAM: `sam deploy` packs the folders that it names, and expands the rest. */
export function toSam(deployment: Deployment, scriptOf?: ScriptOf): Template {
  const template = toCloudFormation(deployment, () => ({}), scriptOf)
  const functions = Object.keys(deployment.names.functions).map(
    name => [functionId(name), toServerlessFunction(name, template.Resources[functionId(name)])] as const,
  )
  const workflows = Object.keys(deployment.names.workflows).map(
    name => [workflowId(name), toServerlessWorkflow(name, template.Resources[workflowId(name)])] as const,
  )
  const hasScripts = Object.keys(deployment.names.glueJobs).length > 0
  const { CodeBucket, CodePrefix, ...parameters } = template.Parameters
  return {
    ...template,
    Transform: 'AWS::Serverless-2016-10-31',
    Parameters: { ...parameters, ...(hasScripts && { CodeBucket, CodePrefix }) } as Template['Parameters'],
    Resources: { ...template.Resources, ...Object.fromEntries([...functions, ...workflows]) },
  }
}

function toServerlessFunction(name: string, resource: TemplateResource | undefined): TemplateResource {
  const { Code: _code, TracingConfig: _tracing, Tags, ...properties } = resource?.Properties ?? {}
  return {
    ...resource,
    Type: 'AWS::Serverless::Function',
    Properties: { ...properties, CodeUri: `functions/${name}`, Tracing: 'Active', Tags: toMap(Tags) },
  }
}

function toServerlessWorkflow(name: string, resource: TemplateResource | undefined): TemplateResource {
  const {
    StateMachineName: Name,
    StateMachineType: Type,
    DefinitionString: _definition,
    RoleArn: Role,
    LoggingConfiguration: Logging,
    TracingConfiguration: Tracing,
    Tags,
    ...properties
  } = resource?.Properties ?? {}
  return {
    ...resource,
    Type: 'AWS::Serverless::StateMachine',
    Properties: {
      ...properties,
      Name,
      Type,
      DefinitionUri: `workflows/${name}.asl.json`,
      Role,
      ...(Logging !== undefined && { Logging }),
      Tracing,
      Tags: toMap(Tags),
    },
  }
}

function toMap(tags: unknown): Readonly<Record<string, string>> {
  const list = tags as readonly { readonly Key: string; readonly Value: string }[]
  return Object.fromEntries(list.map(({ Key, Value }) => [Key, Value]))
}
