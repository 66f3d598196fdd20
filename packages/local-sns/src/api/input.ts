import { ServiceError, type ServiceInput } from '@stepwright/local-server'

export function invalid(what: string): ServiceError {
  return new ServiceError('InvalidParameter', `Invalid parameter: ${what}`)
}

export function textOf(input: ServiceInput, name: string): string {
  const value = optionalText(input, name)
  if (value === undefined || value === '') throw invalid(name)
  return value
}

export function optionalText(input: ServiceInput, name: string): string | undefined {
  const value = input[name]
  return typeof value === 'string' ? value : undefined
}

/** A map of texts, as `Attributes` are. */
export function textsOf(input: ServiceInput, name: string): ReadonlyMap<string, string> {
  const value = input[name]
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])
}

export function listOf(input: ServiceInput, name: string): readonly ServiceInput[] {
  const value = input[name]
  return Array.isArray(value) ? value : []
}
