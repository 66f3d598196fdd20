import { arnOf } from '../arn.ts'
import { allow, type Statement } from '../statement.ts'

/** Step Functions hears of the end of a job by a rule of its own in EventBridge. */
export function hearOf(rule: string): Statement {
  return allow(
    'HearOfTheEnd',
    ['events:DescribeRule', 'events:PutRule', 'events:PutTargets'],
    [arnOf('events', `rule/${rule}`)],
  )
}

/** A role that a service gets to work with. */
export function passRole(role: string | undefined, service: string): readonly Statement[] {
  if (role === undefined) return []
  const arn =
    role.includes(':') || role.startsWith('${')
      ? role
      : `arn:\${AWS::Partition}:iam::\${AWS::AccountId}:role/${role}`
  return [allow('PassRoles', ['iam:PassRole'], [arn], { StringEquals: { 'iam:PassedToService': [service] } })]
}
