import { ServiceError, type ServiceInput } from '@stepwright/local-server'

export function missing(name: string): ServiceError {
  return new ServiceError('MissingParameter', `The request must contain the parameter ${name}.`)
}

export function invalid(name: string, value: unknown, reason: string): ServiceError {
  return new ServiceError(
    'InvalidParameterValue',
    `Value ${typeof value === 'object' ? JSON.stringify(value) : value} for parameter ${name} is invalid. Reason: ${reason}`,
  )
}

export function textOf(input: ServiceInput, name: string): string {
  const value = optionalText(input, name)
  if (value === undefined || value === '') throw missing(name)
  return value
}

export function optionalText(input: ServiceInput, name: string): string | undefined {
  const value = input[name] ?? undefined
  if (value === undefined || typeof value === 'string') return value
  throw new ServiceError('SerializationException', `${name} must be a string`)
}

/** A whole number from `min` to `max`, as SQS asks for it. */
export function numberOf(
  input: ServiceInput,
  name: string,
  [min, max]: readonly [number, number],
  reason: string = `Must be between ${min} and ${max}, if provided.`,
): number | undefined {
  const value = input[name] ?? undefined
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value
  throw invalid(name, value, reason)
}

function listOf(input: ServiceInput, name: string): readonly unknown[] {
  const value = input[name] ?? []
  if (Array.isArray(value)) return value
  throw new ServiceError('SerializationException', `${name} must be a list`)
}

/** A list of texts; what else is in it is left out. */
export function namesOf(input: ServiceInput, name: string): readonly string[] {
  return listOf(input, name).filter(item => typeof item === 'string')
}

/** A list of structures. */
export function inputsOf(input: ServiceInput, name: string): readonly ServiceInput[] {
  const list = listOf(input, name)
  if (list.every(item => typeof item === 'object' && item !== null)) return list as readonly ServiceInput[]
  throw new ServiceError('SerializationException', `${name} must be a list of structures`)
}

/** A map of texts. */
export function textsOf(input: ServiceInput, name: string): Record<string, string> {
  const value = input[name] ?? {}
  if (typeof value === 'object' && !Array.isArray(value) && Object.values(value).every(isText)) {
    return value as Record<string, string>
  }
  throw new ServiceError('SerializationException', `${name} must be a map of strings`)
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

const identifier = /^[\w!"#$%&'()*+,\-./:;<=>?@[\\\]^`{|}~]{1,128}$/

export function checkIdentifier(name: string, value: string): void {
  if (identifier.test(value)) return
  throw invalid(
    name,
    value,
    `${name} can only include alphanumeric and punctuation characters. 1 to 128 in length.`,
  )
}
