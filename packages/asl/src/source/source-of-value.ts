import type { Json } from '../language.ts'
import { define, parseJson } from './parse-json.ts'
import { formatPointer, type Pointer, under } from './pointer.ts'
import type { Source, SourceProblem } from './source.ts'

/**
 * A source for a definition that is already an object. Positions are those of its
 * text as `JSON.stringify(value, null, 2)` prints it.
 */
export function sourceOfValue(value: unknown, file = 'definition'): Source {
  const found: { message: string; pointer: Pointer }[] = []
  const plain = toPlainJson(value, [], new Set(), found)
  const source = parseJson(JSON.stringify(plain, null, 2), { file })
  if (found.length === 0) return source
  const problems = found.map(
    ({ message, pointer }): SourceProblem => ({
      kind: 'syntax',
      message,
      pointer,
      location: source.locate(pointer),
    }),
  )
  return { ...source, problems: [...source.problems, ...problems] }
}

function toPlainJson(
  value: unknown,
  pointer: Pointer,
  ancestors: Set<object>,
  found: { message: string; pointer: Pointer }[],
): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (typeof value !== 'object') {
    found.push({ message: `JSON cannot hold a ${typeof value}.`, pointer })
    return null
  }
  if (ancestors.has(value)) {
    found.push({ message: `The definition contains itself at ${formatPointer(pointer)}.`, pointer })
    return null
  }
  if (pointer.length > 200) {
    found.push({ message: 'Nested more than 200 levels deep.', pointer })
    return null
  }
  ancestors.add(value)
  try {
    if (Array.isArray(value)) {
      return value.map((item, index) => toPlainJson(item, under(pointer, index), ancestors, found))
    }
    const plain: Record<string, Json> = {}
    for (const [key, field] of Object.entries(value)) {
      if (field !== undefined) define(plain, key, toPlainJson(field, under(pointer, key), ancestors, found))
    }
    return plain
  } finally {
    ancestors.delete(value)
  }
}
