import { join } from './join.ts'
import { always, type Field, type ObjectShape, objectOf, type Shape, unknown } from './shape.ts'

/** What an object becomes when the fields of another are put over its own. */
export function mergeObjects(a: Shape, b: Shape): Shape {
  const [under, over] = [objectIn(a), objectIn(b)]
  if (under === undefined || over === undefined) return unknown
  const fields = new Map<string, Field>()
  for (const name of new Set([...under.fields.keys(), ...over.fields.keys()])) {
    const below = under.fields.get(name) ?? absentFrom(under.rest)
    const above = over.fields.get(name) ?? absentFrom(over.rest)
    const field = above?.presence === 'always' ? above : putOver(below, above)
    if (field !== undefined) fields.set(name, field)
  }
  const open = under.rest !== 'none' || over.rest !== 'none'
  return objectOf(fields, over.origin, open ? 'maybe' : 'none')
}

type Merged = Pick<ObjectShape, 'fields' | 'rest' | 'origin'>

const anyObject: Merged = {
  fields: new Map(),
  rest: 'maybe',
  origin: { kind: 'other', text: 'what is merged' },
}

/** What is not known is an object of which nothing is known: anything else cannot be merged. */
function objectIn(shape: Shape): Merged | undefined {
  return shape.kind === 'unknown' ? anyObject : shape.object
}

/** A field that is not listed; `undefined` where it may be there all the same. */
function absentFrom(rest: 'none' | 'maybe' | 'unmentioned'): Field | undefined {
  return rest === 'none' ? { shape: unknown, presence: 'never' } : undefined
}

function putOver(below: Field | undefined, above: Field | undefined): Field | undefined {
  if (above?.presence === 'never') return below
  if (below?.presence === 'never') return above
  if (below === undefined) return undefined
  if (above === undefined) return below.presence === 'always' ? always(unknown) : undefined
  return { ...below, shape: join(below.shape, above.shape) }
}
