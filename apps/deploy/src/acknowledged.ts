import { CfnResource, Stack, Validations } from 'aws-cdk-lib'
import type { CfnRole } from 'aws-cdk-lib/aws-iam'

/** Rules of cdk-nag that these stacks break on purpose, each with its reason. */
const acknowledged: Readonly<Record<string, string>> = {
  'AwsSolutions-APIG1':
    'Access logs of a REST API need a role of the whole account, which is not a stack’s to set; its functions log each request, and X-Ray traces it.',
  'AwsSolutions-APIG2':
    'Every function validates its input against its schema, and answers with what is wrong.',
  'AwsSolutions-APIG3':
    'Whether a firewall stands before an API is decided for the account; its ARN is associated there.',
  'AwsSolutions-APIG4':
    'A route without an authorizer is declared as one: people unsubscribe by a signed link, without an account.',
  'AwsSolutions-APIG6': 'As for APIG1: execution logs need the same role of the account.',
  'AwsSolutions-COG4': 'As for APIG4: pages are open, what they ask of the API is not.',
  'AwsSolutions-GL1':
    'The logs hold counts and names of partitions, no rows; CloudWatch encrypts them with a key of its own.',
  'AwsSolutions-GL3': 'The job uses no bookmarks: which partition it reads, its arguments say.',
  'AwsSolutions-RDS10':
    'dev is meant to be removed as a whole; prod is protected by the parameter ProtectData, which the rule cannot read, once its first deployment has succeeded.',
  'AwsSolutions-RDS11':
    'The port is no secret: the security group of the database lets in the proxy only, and that of the proxy the functions.',
  'AwsSolutions-S1':
    'Who touched an object is asked of CloudTrail’s data events, which an account turns on for all buckets; server access logs come late and not for certain.',
  'AwsSolutions-SQS3': 'The queues without a dead-letter queue are dead-letter queues.',
}

/** Why a right of a role has a wildcard, by the service; without a reason here it fails the synthesis. */
const wildcards: Readonly<Record<string, string>> = {
  bedrock: 'Which model generates, a secret says.',
  cloudwatch: 'Metrics have no resources; the namespace is Glue’s.',
  ec2: 'Lambda makes the network interfaces of functions, which have no names beforehand.',
  glue: 'The tables of one database of the catalog.',
  logs: 'The streams of one log group; deliveries of logs have no resources.',
  s3: 'Objects below the prefixes that the declaration names.',
  ses: 'Any verified identity of the account may send; the app checks which.',
  states: 'The executions of one state machine; a task token does not tell its own.',
  xray: 'Traces have no resources.',
}

interface Statement {
  readonly Action: string | readonly string[]
  readonly Resource: unknown
}

interface RolePolicy {
  readonly policyDocument: { readonly Statement: readonly Statement[] }
}

export function acknowledgeKnown(stack: Stack): void {
  for (const [id, reason] of Object.entries(acknowledged)) Validations.of(stack).acknowledge({ id, reason })
  for (const role of stack.node.findAll()) {
    if (CfnResource.isCfnResource(role) && role.cfnResourceType === 'AWS::IAM::Role')
      acknowledgeWildcards(role)
  }
}

function acknowledgeWildcards(role: CfnResource): void {
  const policies: unknown = Stack.of(role).resolve((role as CfnRole).policies)
  for (const { policyDocument } of (policies ?? []) as readonly RolePolicy[]) {
    for (const { Action, Resource } of policyDocument.Statement) {
      const [service = ''] = ([Action].flat()[0] ?? '').split(':')
      const reason = wildcards[service]
      for (const resource of [Resource].flat()) {
        const text = textOf(resource)
        if (reason !== undefined && text.includes('*'))
          Validations.of(role).acknowledge({ id: `AwsSolutions-IAM5[Resource::${text}]`, reason })
      }
    }
  }
}

/** As cdk-nag writes a resource: `arn:<AWS::Partition>:s3:::…`. */
function textOf(resource: unknown): string {
  const text = typeof resource === 'string' ? resource : (resource as { 'Fn::Sub'?: unknown })['Fn::Sub']
  return (typeof text === 'string' ? text : '').replaceAll(/\$\{([^{}]+)\}/g, '<$1>')
}
