import type { AppRole, PolicyDocument } from '@stepwright/policy'
import type { Deployment } from '../deployment.ts'
import { getAtt, ref, sub, type TemplateResource, toTags } from './template.ts'

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

/** The services that say for which account they work when they take a role: for another's they get none. */
const saysWhom: readonly string[] = ['events.amazonaws.com', 'glue.amazonaws.com', 'states.amazonaws.com']

export function trust(service: string): object {
  const ours = { StringEquals: { 'aws:SourceAccount': ref('AWS::AccountId') } }
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Service: service },
        Action: 'sts:AssumeRole',
        ...(saysWhom.includes(service) && { Condition: ours }),
      },
    ],
  }
}

/** `arn:aws:rds:…:db-proxy:prx-…`: the id of the proxy is its last part. */
const proxyId = { 'Fn::Select': [6, { 'Fn::Split': [':', getAtt('DatabaseProxy', 'DBProxyArn')] }] }

function toResource(arn: string): unknown {
  return arn.includes(`\${DatabaseProxyId}`) ? { 'Fn::Sub': [arn, { DatabaseProxyId: proxyId }] } : sub(arn)
}

function toPolicy({ Version, Statement: statements }: PolicyDocument): object {
  return {
    Version,
    Statement: statements.map(statement => ({ ...statement, Resource: statement.Resource.map(toResource) })),
  }
}
