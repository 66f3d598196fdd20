/** A step of a path: a key, an index, or `*` for all elements. */
type Step = string | number | typeof everything

const everything: unique symbol = Symbol('*')
const stepPattern = /\.([\w/-]+)|\.(\*)|\[(\d+)\]|\[(\*)\]|\['([^']+)'\]|\["([^"]+)"\]/y

/** `$.detail.parts[0].name`: the paths that EventBridge reads. `undefined` for any other. */
export function parseInputPath(path: string): readonly Step[] | undefined {
  if (!path.startsWith('$')) return undefined
  const steps: Step[] = []
  stepPattern.lastIndex = 1
  while (stepPattern.lastIndex < path.length) {
    const [, name, star, index, starIndex, single, double] = stepPattern.exec(path) ?? []
    const key = name ?? single ?? double
    if (key !== undefined) steps.push(key)
    else if (index !== undefined) steps.push(Number(index))
    else if (star !== undefined || starIndex !== undefined) steps.push(everything)
    else return undefined
  }
  return steps
}

/** What the path finds in a value: a list if it has a `*`, and `undefined` if there is nothing. */
export function valueAt(value: unknown, [step, ...others]: readonly Step[]): unknown {
  if (step === undefined) return value
  if (typeof value !== 'object' || value === null) return undefined
  if (step === everything) {
    return Object.values(value).flatMap(each => {
      const found = valueAt(each, others)
      return found === undefined ? [] : [found]
    })
  }
  if (typeof step === 'number' ? !Array.isArray(value) : !Object.hasOwn(value, step)) return undefined
  return valueAt((value as Readonly<Record<string | number, unknown>>)[step], others)
}
