import { type CallService, type InvokeFunction, TaskFailure } from './ports.ts'

/** What Step Functions says of a function that does not exist. */
export const unknownFunction: InvokeFunction = functionArn => {
  throw new TaskFailure('Lambda.ResourceNotFoundException', `Function not found: ${functionArn}`)
}

/** A mistake in the set-up, which no catcher may hide. */
export const unknownService: CallService = ({ service, action }) => {
  throw new TaskFailure('States.Runtime', `No adapter answers ${service}:${action}: pass one as 'services'`)
}
