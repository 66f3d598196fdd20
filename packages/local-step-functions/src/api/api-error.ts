/** What the API answers instead of a result: the name and the words of AWS. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: string
  readonly status: number
  constructor(code: string, message: string, status = 400) {
    super(message)
    this.code = code
    this.status = status
  }
}

export function stateMachineMissing(arn: string): ApiError {
  return new ApiError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`)
}

export function stateMachineDeleting(arn: string): ApiError {
  return new ApiError('StateMachineDeleting', `State Machine is being deleted: '${arn}'`)
}

export function executionMissing(arn: string): ApiError {
  return new ApiError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`)
}

export function executionExists(arn: string): ApiError {
  return new ApiError('ExecutionAlreadyExists', `Execution Already Exists: '${arn}'`)
}

export function activityMissing(arn: string): ApiError {
  return new ApiError('ActivityDoesNotExist', `Activity Does Not Exist: '${arn}'`)
}

export function resourceMissing(arn: string): ApiError {
  return new ApiError('ResourceNotFound', `Resource not found: '${arn}'`)
}
