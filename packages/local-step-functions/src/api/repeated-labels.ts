import type { Json } from '@stepwright/asl'
import type { Diagnostic } from './diagnostic.ts'
import { innerMachines, isObject } from './transition-diagnostics.ts'

/** Labels are part of the ARNs of Map runs, and so unique in a machine. */
export function repeatedLabels(definition: Json): Diagnostic[] {
  const seen = new Set<string>()
  return labelsOf(definition, '').flatMap(([label, location]) => {
    const isRepeated = seen.has(label)
    seen.add(label)
    if (!isRepeated) return []
    const message = `Duplicate Label name: ${label}`
    return { severity: 'ERROR', code: 'DUPLICATE_LABEL_NAME', message, location }
  })
}

function labelsOf(machine: Json, place: string): (readonly [string, string])[] {
  const states = isObject(machine) && isObject(machine['States']) ? machine['States'] : {}
  return Object.entries(states).flatMap(([name, state]) => {
    const at = `${place}/States/${name}`
    const label = isObject(state) ? state['Label'] : undefined
    const own = typeof label === 'string' ? [[label, `${at}/Label`] as const] : []
    return [...own, ...innerMachines(state, at).flatMap(([inner, where]) => labelsOf(inner, where))]
  })
}
