import type { Json } from '../language.ts'

export type PathRoot =
  | { readonly kind: 'input' }
  | { readonly kind: 'context' }
  | { readonly kind: 'variable'; readonly name: string }

/** One step of a path, in Jayway's dialect, which Step Functions speaks. */
export type PathStep =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'fields'; readonly names: readonly string[] }
  /** Below 0 it counts from the end. */
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'indexes'; readonly indexes: readonly number[] }
  | { readonly kind: 'slice'; readonly from: number | undefined; readonly to: number | undefined }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'descend' }
  | { readonly kind: 'filter'; readonly filter: PathFilter }
  | { readonly kind: 'function'; readonly name: string; readonly parameters: readonly Json[] }

/** The test of `[?(…)]`. */
export type PathFilter =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly PathFilter[] }
  | { readonly kind: 'not'; readonly filter: PathFilter }
  | { readonly kind: 'exists'; readonly operand: FilterOperand }
  | {
      readonly kind: 'comparison'
      readonly operator: FilterOperator
      readonly left: FilterOperand
      readonly right: FilterOperand
    }
  | { readonly kind: 'match'; readonly operand: FilterOperand; readonly pattern: RegExp }
  /** Step Functions accepts a definition whose filter it cannot read, and fails when the filter is needed. */
  | { readonly kind: 'unreadable'; readonly problem: string }

export type FilterOperand =
  | { readonly kind: 'value'; readonly value: Json }
  /** `@.a` begins at the item that is tested, `$.a` at the document. */
  | {
      readonly kind: 'path'
      readonly from: 'item' | 'document'
      readonly steps: readonly PathStep[]
      readonly definite: boolean
    }

export const filterOperators = [
  '===',
  '==',
  '!==',
  '!=',
  '<=',
  '<',
  '>=',
  '>',
  'in',
  'nin',
  'subsetof',
  'anyof',
  'noneof',
  'contains',
  'size',
  'empty',
] as const
export type FilterOperator = (typeof filterOperators)[number]

export interface ParsedPath {
  readonly text: string
  readonly root: PathRoot
  readonly steps: readonly PathStep[]
  /** `true` when the path leads to one value or none; any other yields a list, perhaps empty. */
  readonly definite: boolean
}

/** Whether the steps lead to one value or none. */
export function isDefinite(steps: readonly PathStep[]): boolean {
  // a function at the end of a scan is given all that the scan finds
  if (steps[0]?.kind === 'descend' && steps.at(-1)?.kind === 'function') return true
  return steps.every(
    ({ kind }, index) =>
      kind === 'field' ||
      kind === 'index' ||
      kind === 'function' ||
      (kind === 'fields' && index === steps.length - 1),
  )
}
