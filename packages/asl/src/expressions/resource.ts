/** What a Task's `Resource` names. */
export type Resource =
  | { readonly kind: 'function'; readonly arn: string }
  | { readonly kind: 'activity'; readonly arn: string }
  | {
      readonly kind: 'service'
      /** `lambda`, `dynamodb`, `aws-sdk:s3`. */
      readonly service: string
      readonly action: string
      readonly pattern: 'request' | 'sync' | 'sync:2' | 'waitForTaskToken'
      /** The action with its pattern, as history shows it. */
      readonly resource: string
    }

/** A part of an ARN; a deployment tool may fill it in: `${AWS::Partition}`. */
const part = String.raw`(?:\$\{[^{}]*\}|[^:$]|\$(?!\{))*`
const service = new RegExp(`^arn:${part}:states:${part}:${part}:(.+)$`)
const activity = new RegExp(`^arn:${part}:states:${part}:${part}:activity:`)
const integrationSuffix = /^(.*?)\.(sync:2|sync|waitForTaskToken)$/

export function parseResource(arn: string): Resource {
  if (activity.test(arn)) return { kind: 'activity', arn }
  const integration = service.exec(arn)?.[1]
  if (integration === undefined) return { kind: 'function', arn }
  const [, body = integration, pattern = 'request'] = integrationSuffix.exec(integration) ?? []
  const parts = body.split(':')
  const action = parts.pop() ?? ''
  return {
    kind: 'service',
    service: parts.join(':'),
    action,
    pattern: pattern as 'request' | 'sync' | 'sync:2' | 'waitForTaskToken',
    resource: pattern === 'request' ? action : `${action}.${pattern}`,
  }
}
