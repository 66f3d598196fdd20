import type { Field, KnownShape, ObjectShape, Shape } from './shape.ts'
import { isAnything } from './shape.ts'

const identifier = /^[\p{L}_$][\p{L}\p{N}_$]*$/u

/** What is known of a value, as a type of TypeScript; nested objects are indented below the given margin. */
export function typeText(shape: Shape, margin = ''): string {
  if (shape.kind === 'unknown') return 'unknown'
  const parts = partsOf(shape, margin)
  if (isAnything(shape) && shape.object?.fields.size === 0) return 'unknown'
  return parts.length === 0 ? 'never' : parts.join(' | ')
}

function partsOf(shape: KnownShape, margin: string): readonly string[] {
  const { types, values, object, array } = shape
  const parts: string[] = []
  if (values !== undefined) parts.push(...values.map(value => JSON.stringify(value)))
  else
    for (const type of ['null', 'boolean', 'number', 'string'] as const) if (types.has(type)) parts.push(type)
  if (types.has('object')) parts.push(objectText(object, margin))
  if (types.has('array')) {
    if (array?.tuple !== undefined)
      parts.push(`readonly [${array.tuple.map(item => typeText(item, margin)).join(', ')}]`)
    else parts.push(`readonly ${itemText(array?.items ?? { kind: 'unknown' }, margin)}[]`)
  }
  return parts
}

function itemText(items: Shape, margin: string): string {
  const text = typeText(items, margin)
  const isUnion = items.kind === 'known' && partsOf(items, margin).length > 1
  return isUnion || text.startsWith('readonly ') ? `(${text})` : text
}

function objectText(object: ObjectShape | undefined, margin: string): string {
  const fields = [...(object?.fields ?? [])].filter(([, { presence }]) => presence !== 'never')
  if (fields.length === 0) return object?.rest === 'none' ? '{}' : '{ readonly [field: string]: unknown }'
  const inner = `${margin}  `
  const lines = fields.map(([name, field]) => `${inner}readonly ${fieldText(name, field, inner)}`)
  return `{\n${lines.join('\n')}\n${margin}}`
}

/** Of a value of which nothing is known, it is not known either whether there is one. */
function fieldText(name: string, { shape, presence }: Field, margin: string): string {
  const key = identifier.test(name) ? name : JSON.stringify(name)
  const isOptional = presence === 'sometimes' || shape.kind === 'unknown'
  return `${key}${isOptional ? '?' : ''}: ${typeText(shape, margin)}`
}
