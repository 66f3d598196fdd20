import type { StateType } from '../language.ts'

export const stateTypes: readonly StateType[] = [
  'Task',
  'Wait',
  'Pass',
  'Succeed',
  'Fail',
  'Choice',
  'Parallel',
  'Map',
]

type OperandType = 'string' | 'number' | 'timestamp' | 'boolean' | 'path'

const orderings = ['Equals', 'LessThan', 'GreaterThan', 'LessThanEquals', 'GreaterThanEquals']

function withPath(operator: string, type: OperandType): readonly (readonly [string, OperandType])[] {
  return [
    [operator, type],
    [`${operator}Path`, 'path'],
  ]
}

/** What a choice rule's operator is given; those that end in `Path` compare with what a path leads to. */
export const comparisonOperands: ReadonlyMap<string, OperandType> = new Map<string, OperandType>([
  ...orderings.flatMap(ordering => withPath(`String${ordering}`, 'string')),
  ...orderings.flatMap(ordering => withPath(`Numeric${ordering}`, 'number')),
  ...orderings.flatMap(ordering => withPath(`Timestamp${ordering}`, 'timestamp')),
  ...withPath('BooleanEquals', 'boolean'),
  ['StringMatches', 'string'],
  ['IsNull', 'boolean'],
  ['IsPresent', 'boolean'],
  ['IsNumeric', 'boolean'],
  ['IsString', 'boolean'],
  ['IsBoolean', 'boolean'],
  ['IsTimestamp', 'boolean'],
])

/**
 * What a Map's items can be: recordings of inline Maps refuse objects, and the developer guide has Distributed Maps
 * take them field by field ("ItemsPath", "Map state input and output fields").
 */
export const mapItemTypes: Readonly<Record<'INLINE' | 'DISTRIBUTED', readonly ('array' | 'object')[]>> = {
  INLINE: ['array'],
  DISTRIBUTED: ['array', 'object'],
}
