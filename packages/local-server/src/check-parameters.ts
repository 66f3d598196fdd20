import { ServiceError } from './service-error.ts'

/** For each operation, the names of the parameters that it reads. */
export type SupportedParameters = Readonly<Record<string, readonly string[]>>

/** Refuses a parameter that the operation would ignore. @throws ServiceError that names it */
export function checkParameters(
  supported: SupportedParameters,
  operation: string,
  input: Readonly<Record<string, unknown>>,
  code = 'ValidationException',
): void {
  const known = supported[operation] ?? []
  const ignored = Object.keys(input).find(name => input[name] != null && !known.includes(name))
  if (ignored === undefined) return
  throw new ServiceError(code, `The parameter ${ignored} of ${operation} is not supported on this machine`)
}
