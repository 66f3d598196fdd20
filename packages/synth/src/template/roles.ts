import type { AppRole, PolicyDocument } from '@stepwright/policy'
import type { Deployment } from '../deployment.ts'
import { sub, type TemplateResource, toTags } from './template.ts'

/** The role of a function, workflow or trigger, with its policy inside: nothing else shares it. */
export function roleResource(
  { roles, tags }: Deployment,
  name: string,
  kind: AppRole['kind'],
): TemplateResource {
  const role = roles.find(each => each.name === name && each.kind === kind)
  if (role === undefined) throw new TypeError(`there is no role for the ${kind} ${name}`)
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: trust(role.principal),
      Policies: [{ PolicyName: 'needs', PolicyDocument: toPolicy(role.document) }],
      Tags: toTags(tags),
    },
  }
}

export function trust(service: string): object {
  return {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole' }],
  }
}

function toPolicy({ Version, Statement: statements }: PolicyDocument): object {
  return {
    Version,
    Statement: statements.map(statement => ({ ...statement, Resource: statement.Resource.map(sub) })),
  }
}
