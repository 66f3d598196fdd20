/** The ARN of something in the account and region that the policy is deployed to. */
export function arnOf(service: string, resource: string): string {
  return `arn:\${AWS::Partition}:${service}:\${AWS::Region}:\${AWS::AccountId}:${resource}`
}

/** The ARN of something that has no region. */
export function globalArnOf(service: string, resource: string): string {
  return `arn:\${AWS::Partition}:${service}::\${AWS::AccountId}:${resource}`
}

export function bucketArn(name: string): string {
  return isArn(name) ? name : `arn:\${AWS::Partition}:s3:::${name}`
}

/** The ARN, if it is one or stands for one; else the ARN of what has this name. */
export function toArn(given: string, service: string, prefix: string): string {
  return isArn(given) ? given : arnOf(service, `${prefix}${given}`)
}

/** An ARN, or a whole placeholder that a deployment fills in: `${WriteChunk}`, `${WriteChunk}:live`. */
export function isArn(text: string): boolean {
  return text.startsWith('arn:') || /^\$\{(?!AWS::)[^{}]+\}(:[\w$-]+)?$/.test(text)
}

/** `arn:…:stateMachine:NAME` → `arn:…:execution:NAME`, and what follows. */
export function executionArn(stateMachineArn: string, rest: string): string {
  const [, before, name] = /^(.*):stateMachine:([^:]*)/.exec(stateMachineArn) ?? []
  return before === undefined ? arnOf('states', `execution:*${rest}`) : `${before}:execution:${name}${rest}`
}

/** Without the version or the alias at its end. */
export function unqualified(stateMachineArn: string): string {
  return stateMachineArn.replace(/(:stateMachine:[^:]+):.*/, '$1')
}

/** `https://sqs.us-east-1.amazonaws.com/123456789012/name` → `name`. */
export function queueNameOf(url: string): string {
  return url.split('/').at(-1) ?? url
}
