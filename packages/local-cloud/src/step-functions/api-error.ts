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

export const stateMachineMissing = (arn: string): ApiError =>
  new ApiError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`)

export const executionMissing = (arn: string): ApiError =>
  new ApiError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`)

export const executionExists = (arn: string): ApiError =>
  new ApiError('ExecutionAlreadyExists', `Execution Already Exists: '${arn}'`)

export const activityMissing = (arn: string): ApiError =>
  new ApiError('ActivityDoesNotExist', `Activity Does Not Exist: '${arn}'`)

export const resourceMissing = (arn: string): ApiError =>
  new ApiError('ResourceNotFound', `Resource not found: '${arn}'`)
