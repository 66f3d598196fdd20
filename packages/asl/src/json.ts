import type { Json, JsonObject } from './language.ts'

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isArray = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)

/** A value that a deployment tool fills in: `${TableName}`. */
export const isPlaceholder = (value: Json | undefined): boolean =>
  typeof value === 'string' && value.includes('${')
