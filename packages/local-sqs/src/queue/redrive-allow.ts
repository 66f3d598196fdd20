import { ServiceError } from '@stepwright/local-server'

/** Which queues may have a queue as their dead-letter queue. */
export interface RedriveAllow {
  readonly permission: 'allowAll' | 'denyAll' | 'byQueue'
  readonly sourceArns: readonly string[]
}

const maxSources = 10

/** @throws ServiceError that says what is wrong with the policy */
export function parseRedriveAllow(text: string | undefined): RedriveAllow | undefined {
  if (text === undefined || text === '') return undefined
  const invalid = (reason: string): ServiceError =>
    new ServiceError(
      'InvalidParameterValue',
      `Value ${text} for parameter RedriveAllowPolicy is invalid. Reason: ${reason}`,
    )
  let policy: Readonly<Record<string, unknown>> | null
  try {
    policy = JSON.parse(text)
  } catch {
    throw invalid('Redrive Allow policy is not a valid JSON map.')
  }
  const { redrivePermission: permission, sourceQueueArns } = policy ?? {}
  if (permission !== 'allowAll' && permission !== 'denyAll' && permission !== 'byQueue')
    throw invalid('redrivePermission must be one of allowAll, denyAll and byQueue.')
  if (permission !== 'byQueue') {
    if (sourceQueueArns !== undefined) throw invalid(`sourceQueueArns is not allowed with ${permission}.`)
    return { permission, sourceArns: [] }
  }
  if (!Array.isArray(sourceQueueArns) || !sourceQueueArns.every(arn => typeof arn === 'string'))
    throw invalid('sourceQueueArns must be a list of ARNs with byQueue.')
  if (sourceQueueArns.length === 0 || sourceQueueArns.length > maxSources)
    throw invalid(`sourceQueueArns has 1 to ${maxSources} ARNs.`)
  return { permission, sourceArns: sourceQueueArns }
}

export function isRedriveAllowed(allow: RedriveAllow | undefined, sourceArn: string): boolean {
  if (allow === undefined || allow.permission === 'allowAll') return true
  return allow.permission === 'byQueue' && allow.sourceArns.includes(sourceArn)
}
