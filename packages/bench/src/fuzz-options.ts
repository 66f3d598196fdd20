import fc from 'fast-check'
import { chaosRounds } from './chaos.ts'

/** Right for no option of anybody. */
const impossible: readonly unknown[] = [null, Number.NaN]
const wrong = fc.constantFrom<unknown>(
  ...impossible,
  ...[0, 1, 7, 4096, -1, 0.5, Number.POSITIVE_INFINITY, 1e21],
  ...['', 'x', true, false, undefined, [], {}],
)

export interface FuzzedFunction {
  /** As it calls itself in the messages of its errors. */
  readonly name: string
  /** Options that it accepts, all that it has. Undefined for those that are left out. */
  readonly options: Readonly<Record<string, unknown>>
  /** Calls it, and ends what it started. */
  readonly call: (options: never) => unknown
}

/**
 * Whatever the options of a function, it refuses them by a TypeError or does its work. Options that do not exist, and
 * those that are impossible, `assertOptions` has to refuse: what is left to fail later is a port that cannot do its part.
 */
export async function fuzzOptions({ name, options, call }: FuzzedFunction): Promise<void> {
  const refusal = async (given: object): Promise<string | undefined> => {
    try {
      await call(given as never)
      return undefined
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      return error.message
    }
  }
  const known = Object.keys(options)
  const names = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...known) },
    { weight: 1, arbitrary: fc.constantFrom(...known.map(known => `${known}s`), 'constructor', '') },
  )
  const unexpected = await refusal(options)
  if (unexpected !== undefined) throw new Error(`it should accept its own options: ${unexpected}`)
  await fc.assert(
    fc.asyncProperty(fc.dictionary(names, wrong, { minKeys: 1, maxKeys: 3 }), async given => {
      const refused = await refusal({ ...options, ...given })
      for (const [key, value] of Object.entries(given)) {
        const mustRefuse = !known.includes(key) || impossible.some(one => Object.is(one, value))
        if (mustRefuse && !refused?.startsWith(`options of ${name}: `)) {
          throw new Error(`${name} does not refuse ${key}: ${value}`)
        }
      }
    }),
    { numRuns: chaosRounds(30) * 5 },
  )
}
