import { coversKey } from '../bindings/covered-key.ts'
import type { AnyFunction } from '../functions/lambda-function.ts'
import type { AppDeclaration } from './app-declaration.ts'

/**
 * What an object's creation calls must be able to read it; where that only passes the key on, some other function.
 * @throws TypeError for a trigger whose objects lie outside every prefix that may be read
 */
export function assertPrefixes({ functions, triggers = {} }: AppDeclaration): void {
  for (const [name, trigger] of Object.entries(triggers)) {
    if (!('objectCreated' in trigger)) continue
    const { bucket, prefix = '', suffix = '' } = trigger.objectCreated
    const own = 'calls' in trigger ? readsOf(trigger.calls, bucket.name) : []
    const reads = own.length > 0 ? own : Object.values(functions).flatMap(fn => readsOf(fn, bucket.name))
    // Any object that the trigger announces: a character that no pattern names stands for the rest of the key.
    if (reads.length === 0 || coversKey(reads, 'read', `${prefix}\u{fffd}${suffix}`)) continue
    throw new TypeError(
      `trigger ${name}: it announces objects ${prefix}*${suffix} of the bucket ${bucket.name}, but its functions may only ${reads.join(', ')}; add the right 'read ${prefix}*${suffix}' to the binding`,
    )
  }
}

function readsOf({ facts }: AnyFunction, bucket: string): readonly string[] {
  return Object.values(facts.needs.variables).flatMap(value =>
    typeof value === 'object' && 'bucket' in value && value.bucket === bucket
      ? value.may.filter(right => right.split(' ')[0] === 'read')
      : [],
  )
}
