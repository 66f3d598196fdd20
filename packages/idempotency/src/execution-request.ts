import { DataValidationError, PayloadTooLargeError } from '@stepwright/errors'
import type { StartRequest } from './executions.ts'

const maxInputBytes = 262_144

/** The input's JSON, where Step Functions would take the request. */
export function checkStart({ name, input }: StartRequest): string {
  if (!/^[\w-]{1,80}$/.test(name)) {
    throw new DataValidationError('the name of an execution must be 1 to 80 letters, digits, "-" or "_"')
  }
  const json = JSON.stringify(input) ?? '{}'
  const bytes = Buffer.byteLength(json)
  if (bytes <= maxInputBytes) return json
  throw new PayloadTooLargeError(
    `the input of an execution must have at most ${maxInputBytes} bytes, and has ${bytes}`,
    { details: { bytes, maxBytes: maxInputBytes } },
  )
}

/** The ARN of an execution, also where the state machine's has a version or an alias. */
export function executionArnOf(stateMachineArn: string, name: string): string {
  const [machine] = /^(?:[^:]*:){6}[^:]*/.exec(stateMachineArn) ?? [stateMachineArn]
  return `${machine.replace(':stateMachine:', ':execution:')}:${name}`
}
