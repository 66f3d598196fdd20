import { ServiceError, type ServiceInput } from '@stepwright/local-server'

export const validName: RegExp = /^[\w.-]{1,64}$/

export function requireText(input: ServiceInput, name: string): string {
  const value = optionalText(input, name)
  if (value === undefined || value === '') throw invalid(name)
  return value
}

export function optionalText(input: ServiceInput, name: string): string | undefined {
  const value = input[name] ?? undefined
  if (value === undefined || typeof value === 'string') return value
  throw new ServiceError('SerializationException', `${name} must be a string`)
}

export function listOf(input: ServiceInput, name: string): readonly unknown[] {
  const value = input[name]
  if (Array.isArray(value)) return value
  throw invalid(name)
}

export function inputsOf(input: ServiceInput, name: string): readonly ServiceInput[] {
  const list = listOf(input, name)
  if (list.every(item => typeof item === 'object' && item !== null)) return list as readonly ServiceInput[]
  throw new ServiceError('SerializationException', `${name} must be a list of structures`)
}

export function invalid(name: string): ServiceError {
  return new ServiceError('ValidationException', `Parameter ${name} is not valid.`)
}
