import { isArray, isObject } from '../json.ts'
import type { Json } from '../language.ts'
import { maxElements, tupleOf } from './list.ts'
import {
  always,
  arrayOf,
  type Field,
  type Origin,
  objectOf,
  ofValue,
  type Scalar,
  type Shape,
  unknown,
} from './shape.ts'

/** The shape of a value that is written down. */
export function shapeOfJson(value: Json, origin: Origin): Shape {
  if (isArray(value)) {
    return value.length > maxElements
      ? arrayOf(unknown, value.length, value.length)
      : tupleOf(value.map(item => shapeOfJson(item, origin)))
  }
  if (!isObject(value)) return ofValue(value as Scalar)
  const fields = new Map<string, Field>()
  for (const [key, field] of Object.entries(value)) fields.set(key, always(shapeOfJson(field, origin)))
  return objectOf(fields, origin)
}
