import { isArray, isObject } from '../json.ts'
import type { Json } from '../language.ts'
import {
  always,
  type Field,
  type Origin,
  objectOf,
  ofValue,
  type Scalar,
  type Shape,
  tupleOf,
} from './shape.ts'

/** The shape of a value that is written down. */
export function shapeOfJson(value: Json, origin: Origin): Shape {
  if (isArray(value)) return tupleOf(value.slice(0, 100).map(item => shapeOfJson(item, origin)))
  if (!isObject(value)) return ofValue(value as Scalar)
  const fields = new Map<string, Field>()
  for (const [key, field] of Object.entries(value)) fields.set(key, always(shapeOfJson(field, origin)))
  return objectOf(fields, origin)
}
