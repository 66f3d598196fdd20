import { checkPattern, InvalidPatternError, type Pattern } from '@stepwright/local-eventbridge/pattern'
import { ServiceError } from '@stepwright/local-server'

/** The filter policy among a subscription's attributes. @throws ServiceError that says what is wrong with it */
export function parseFilter(attributes: ReadonlyMap<string, string>): Pattern | undefined {
  const text = attributes.get('FilterPolicy')
  if (text === undefined || text === '' || text === '{}') return undefined
  try {
    const policy = JSON.parse(text)
    checkPattern(policy)
    return policy
  } catch (error) {
    const reason = error instanceof InvalidPatternError ? error.message : 'failed to parse JSON.'
    throw new ServiceError('InvalidParameter', `Invalid parameter: FilterPolicy: ${reason}`)
  }
}
