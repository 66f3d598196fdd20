/** What is wrong with an option, in words that follow its name; undefined if nothing is. */
export type OptionCheck = (value: unknown) => string | undefined

export type OptionChecks = Readonly<Record<string, OptionCheck>>

/**
 * Checks what a factory or a function was given. An option that is undefined is as good as left out.
 * @throws TypeError for an option that is impossible, and for one that does not exist: it would be ignored
 */
export function assertOptions(of: string, options: unknown, checks: OptionChecks): void {
  const problem = membersOf(checks)(options)
  if (problem !== undefined) throw new TypeError(`options of ${of}: ${problem.replace(/^\./, '')}`)
}

/** An object with these members and no others. */
export function membersOf(checks: OptionChecks): OptionCheck {
  return value => {
    if (typeof value !== 'object' || value === null) return ' must be an object'
    for (const [name, given] of Object.entries(value)) {
      if (!Object.hasOwn(checks, name)) {
        return `.${name} does not exist; there are ${Object.keys(checks).join(', ')}`
      }
      const problem = given === undefined ? undefined : checks[name]?.(given)
      if (problem !== undefined) return `.${name}${problem}`
    }
    return undefined
  }
}

/** An object whose members are all like this, whatever their names. */
export function recordOf(check: OptionCheck): OptionCheck {
  return value => {
    if (typeof value !== 'object' || value === null) return ' must be an object'
    for (const [name, given] of Object.entries(value)) {
      const problem = check(given)
      if (problem !== undefined) return `.${name}${problem}`
    }
    return undefined
  }
}

export function oneOf(...values: readonly unknown[]): OptionCheck {
  const names = values.map(value => JSON.stringify(value)).join(', ')
  return value => (values.includes(value) ? undefined : ` must be one of ${names}`)
}

function rangeOf(min: number, max: number): string {
  return max < Number.MAX_SAFE_INTEGER ? `from ${min} to ${max}` : `from ${min}`
}

/** A whole number; where it has no end, also `Infinity`. */
export function wholeFrom(min: number, max: number = Number.POSITIVE_INFINITY): OptionCheck {
  const range = rangeOf(min, max)
  return value => {
    const isWhole = Number.isInteger(value) || value === max
    return isWhole && (value as number) >= min && (value as number) <= max
      ? undefined
      : ` must be a whole number ${range}, and is ${typeof value === 'number' ? value : `a ${typeof value}`}`
  }
}

/** A number, whole or not; `Infinity` where it has no end. */
export function numberFrom(min: number, max: number = Number.POSITIVE_INFINITY): OptionCheck {
  const range = rangeOf(min, max)
  return value =>
    typeof value === 'number' && value >= min && value <= max
      ? undefined
      : ` must be a number ${range}, and is ${typeof value === 'number' ? value : `a ${typeof value}`}`
}

/** A number that is greater, whole or not; `Infinity` where it has no end. */
export function numberAbove(min: number, max: number = Number.POSITIVE_INFINITY): OptionCheck {
  return value =>
    typeof value === 'number' && value > min && value <= max
      ? undefined
      : ` must be a number above ${min}, and is ${typeof value === 'number' ? value : `a ${typeof value}`}`
}

export const aBoolean: OptionCheck = value =>
  typeof value === 'boolean' ? undefined : ' must be true or false'

export const aFunction: OptionCheck = value =>
  typeof value === 'function' ? undefined : ' must be a function'

export const aText: OptionCheck = value =>
  typeof value === 'string' && value !== '' ? undefined : ' must be a text that is not empty'

/** A port, a client, a configuration: what it has to do is its type's to say. */
export const anObject: OptionCheck = value =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'
    ? undefined
    : ' must be an object'

export const texts: OptionCheck = value =>
  Array.isArray(value) && value.every(each => typeof each === 'string')
    ? undefined
    : ' must be a list of texts'

export const aSignal: OptionCheck = value =>
  typeof (value as AbortSignal | null)?.aborted === 'boolean' ? undefined : ' must be an AbortSignal'

export const anything: OptionCheck = () => undefined
