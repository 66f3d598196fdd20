import { type CallService, type InvokeFunction, TaskFailure } from './ports.ts'

/** What Step Functions says of a function that does not exist. */
export function functionMissing(functionArn: string, requestId: string = crypto.randomUUID()): TaskFailure {
  const qualified = functionArn.split(':').length > 7 ? functionArn : `${functionArn}:$LATEST`
  return new TaskFailure(
    'Lambda.ResourceNotFoundException',
    `Function not found: ${qualified} (Service: Lambda, Status Code: 404, Request ID: ${requestId}) (SDK Attempt Count: 1)`,
  )
}

export const unknownFunction: InvokeFunction = functionArn => {
  throw functionMissing(functionArn)
}

/** A mistake in the set-up, which no catcher may hide. */
export const unknownService: CallService = ({ service, action }) => {
  throw new TaskFailure('States.Runtime', `No adapter answers ${service}:${action}: pass one as 'services'`)
}
