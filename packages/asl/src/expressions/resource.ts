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

const service = /^arn:[^:]*:states:[^:]*:[^:]*:(.+)$/
const integrationSuffix = /^(.*?)\.(sync:2|sync|waitForTaskToken)$/

export function parseResource(arn: string): Resource {
  if (/^arn:[^:]*:states:[^:]*:[^:]*:activity:/.test(arn)) return { kind: 'activity', arn }
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
