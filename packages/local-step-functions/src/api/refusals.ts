import { ServiceError } from '@stepwright/local-server'

export function stateMachineMissing(arn: string): ServiceError {
  return new ServiceError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`)
}

export function stateMachineDeleting(arn: string): ServiceError {
  return new ServiceError('StateMachineDeleting', `State Machine is being deleted: '${arn}'`)
}

export function executionMissing(arn: string): ServiceError {
  return new ServiceError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`)
}

export function executionExists(arn: string): ServiceError {
  return new ServiceError('ExecutionAlreadyExists', `Execution Already Exists: '${arn}'`)
}

export function activityMissing(arn: string): ServiceError {
  return new ServiceError('ActivityDoesNotExist', `Activity Does Not Exist: '${arn}'`)
}

export function resourceMissing(arn: string): ServiceError {
  return new ServiceError('ResourceNotFound', `Resource not found: '${arn}'`)
}
