import { type Statement, workflowPolicy } from '../src/index.ts'
import { type ExactDefinition, exactDefinitions } from './exact-definitions.ts'

/** What a policy allows, one line for each action on each resource under its conditions. */
export function linesOf(statements: readonly Statement[]): readonly string[] {
  return statements
    .flatMap(({ Action, Resource, Condition }) =>
      Action.flatMap(action =>
        Resource.map(resource => `${action} on ${resource}${Condition ? ` if ${canonical(Condition)}` : ''}`),
      ),
    )
    .sort()
}

export function neededLines({ needs, conditions = {} }: ExactDefinition): readonly string[] {
  return Object.entries(needs)
    .flatMap(([resource, actions]) =>
      actions.map(action => {
        const condition = conditions[action]
        return `${action} on ${toArn(resource)}${condition ? ` if ${canonical(condition)}` : ''}`
      }),
    )
    .sort()
}

export function derivedLines({ definition, options }: ExactDefinition): readonly string[] {
  return linesOf(workflowPolicy(definition, options).document.Statement)
}

/** The share of the definitions whose policy has nothing missing and nothing too much. */
export function exactShare(): number {
  const exact = exactDefinitions.filter(
    each => neededLines(each).join('\n') === derivedLines(each).join('\n'),
  )
  return exact.length / exactDefinitions.length
}

function toArn(resource: string): string {
  if (resource === '*' || resource.startsWith('arn:') || resource.startsWith('$')) return resource
  if (resource.startsWith('s3:::')) return `arn:\${AWS::Partition}:${resource}`
  const [service, ...rest] = resource.split(':')
  return `arn:\${AWS::Partition}:${service}:\${AWS::Region}:\${AWS::AccountId}:${rest.join(':')}`
}

function canonical(condition: object): string {
  return JSON.stringify(
    Object.entries(condition).map(([operator, keys]) => [operator, Object.entries(keys as object).sort()]),
  )
}
