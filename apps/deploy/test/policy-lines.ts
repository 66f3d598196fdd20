import type { App } from '@stepwright/app'
import { arnOf, type Statement } from '@stepwright/policy'
import { planDeployment } from '@stepwright/synth'
import { expectedPolicies, type Needs } from './expected-policies.ts'

/** What the roles of an app are allowed when it is deployed, one line for each action on each resource. */
export function deployedLines(app: App): readonly string[] {
  return planDeployment(app, { stage: 'prod' })
    .roles.flatMap(({ kind, name, document }) =>
      linesOf(document.Statement).map(line => `${kind} ${name}: ${line}`),
    )
    .sort()
}

/** What they need, as it was written down by hand. */
export function expectedLines({ name }: App): readonly string[] {
  return Object.entries<Needs>(expectedPolicies[name] ?? {})
    .flatMap(([role, needs]) =>
      Object.entries(needs).flatMap(([resource, actions]) =>
        actions.map(action => `${role}: ${action} on ${toArn(resource)}`),
      ),
    )
    .sort()
}

function linesOf(statements: readonly Statement[]): readonly string[] {
  return statements.flatMap(({ Action, Resource }) =>
    Action.flatMap(action => Resource.map(resource => `${action} on ${resource}`)),
  )
}

function toArn(resource: string): string {
  if (resource === '*' || resource.startsWith('arn:')) return resource
  const [service = '', ...rest] = resource.split(':')
  return arnOf(service, rest.join(':'))
}
