import { readFileSync } from 'node:fs'
import {
  type App,
  type GlueJob,
  type Places,
  resolveSubstitutions,
  resolveValue,
  type Substitution,
} from '@stepwright/app'
import { parseDefinition } from '@stepwright/asl'
import { substitute } from '@stepwright/asl/expressions'
import { unqualified } from './arn.ts'
import { type FunctionPolicyOptions, functionPolicy, usesDatabase } from './function-policy.ts'
import { glueJobPolicy } from './glue-policies.ts'
import { allow, type PolicyDocument, toDocument } from './statement.ts'
import { workflowPolicy } from './workflow/workflow-policy.ts'

/** A role of an app. */
export interface AppRole {
  /** The function, workflow, trigger or Glue job that it is for. */
  readonly name: string
  readonly kind: 'function' | 'workflow' | 'trigger' | 'glueJob'
  /** The service that takes the role. */
  readonly principal: string
  readonly document: PolicyDocument
  /** What could not be derived, or not be narrowed down. */
  readonly notes: readonly string[]
}

export interface AppPoliciesOptions
  extends Pick<FunctionPolicyOptions, 'tracing' | 'deadLetterQueueUrl' | 'databaseUserArn'> {
  readonly places: Places
  /** Whether the functions that use the database are in a VPC. @default false */
  readonly vpc?: boolean
  /** Definitions other than those of the declared files, by workflow. @default the files */
  readonly definitions?: Readonly<Record<string, unknown>>
}

/** Every role of an app, with exactly what it needs. */
export function appPolicies(app: App, options: AppPoliciesOptions): readonly AppRole[] {
  const definitions = readDefinitions(app, options.definitions ?? {})
  return [
    ...Object.keys(app.functions).map((name): AppRole => functionRole(app, name, options)),
    ...Object.keys(app.workflows ?? {}).map(
      (name): AppRole => workflowRole(app, name, definitions[name], options),
    ),
    ...triggerRoles(app, options.places),
    ...glueRoles(app, options.places),
  ]
}

function functionRole(app: App, name: string, options: AppPoliciesOptions): AppRole {
  const { deadLetterQueueUrl, vpc = false, ...others } = options
  const keepsFailures = deadLetterQueueUrl !== undefined && keepsFailuresOf(app, name)
  const document = functionPolicy(app, name, {
    ...others,
    vpc: vpc && usesDatabase(app, name),
    ...(keepsFailures && { deadLetterQueueUrl }),
  })
  return { name, kind: 'function', principal: 'lambda.amazonaws.com', document, notes: [] }
}

/** Whether something calls the function whose failures are kept: messages of a queue stay where they are. */
function keepsFailuresOf({ triggers = {} }: App, name: string): boolean {
  return Object.values(triggers).some(
    trigger => !('queue' in trigger) && 'calls' in trigger && trigger.calls === name,
  )
}

function workflowRole(app: App, name: string, definition: unknown, { places }: AppPoliciesOptions): AppRole {
  const declared = app.workflows?.[name]
  const text = typeof definition === 'string' ? definition : JSON.stringify(definition)
  const substituted = substitute(text, resolveSubstitutions(app, name, places))
  const known: Readonly<Record<string, Substitution>> = declared?.known ?? {}
  const { document, notes } = workflowPolicy(parseDefinition(substituted).value, {
    stateMachineArn: unqualified(places.workflowArn(name)),
    known: Object.fromEntries(
      Object.entries(known).map(([key, value]) => [key, resolveValue(value, places)]),
    ),
    logging: declared?.logging?.level !== 'OFF',
    tracing: true,
  })
  return { name, kind: 'workflow', principal: 'states.amazonaws.com', document, notes }
}

/** A rule that starts executions has a role of its own. */
function triggerRoles({ triggers = {} }: App, places: Places): readonly AppRole[] {
  return Object.entries(triggers).flatMap(([name, trigger]): AppRole[] =>
    'starts' in trigger
      ? [
          {
            name,
            kind: 'trigger',
            principal: 'events.amazonaws.com',
            document: toDocument([
              allow('StartExecutions', ['states:StartExecution'], [places.workflowArn(trigger.starts)]),
            ]),
            notes: [],
          },
        ]
      : [],
  )
}

/** The script of a job is where the deployment puts it, under a name with its content's hash. */
function scriptArn(jobName: string): string {
  return `arn:\${AWS::Partition}:s3:::\${CodeBucket}/\${CodePrefix}${jobName}-*.py`
}

function glueRoles(app: App, places: Places): readonly AppRole[] {
  const { glueJobs = {} } = app.resources ?? {}
  const principal = 'glue.amazonaws.com'
  return [
    ...Object.entries<GlueJob>(glueJobs).map(([name, job]): AppRole => {
      const document = glueJobPolicy(app, job, places, scriptArn(name))
      return { name, kind: 'glueJob', principal, document, notes: [] }
    }),
  ]
}

function readDefinitions(
  { workflows = {}, root }: App,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(workflows).map(([name, { definition }]) => [
      name,
      given[name] ?? readFileSync(new URL(definition, root), 'utf8'),
    ]),
  )
}
