import type { JsonataNode } from '../../expressions/jsonata.ts'
import type { Pointer } from '../../source/pointer.ts'
import type { Environment } from '../environment.ts'
import { expectTypes } from '../expect-type.ts'
import type { JsonType, Origin } from '../shape.ts'
import type { Value } from './value.ts'

/** What the parts of an expression can see. */
export interface JsonataScope {
  readonly environment: Environment
  readonly pointer: Pointer
  readonly origin: Origin
  /** What the expression itself has bound: variables of blocks, parameters of functions. */
  readonly locals: ReadonlyMap<string, Value>
  /** Whether this part is evaluated whatever the data is. */
  readonly certain: boolean
  /** What a part of the expression makes. */
  readonly evaluate: (node: JsonataNode, scope: JsonataScope) => Value
}

/** Notes a value that an operator or a function does not take. */
export function expect(
  what: string,
  { shape, presence }: Value,
  accepted: readonly JsonType[],
  { pointer, environment, certain }: JsonataScope,
  numericText = false,
): void {
  if (presence === 'never') return
  const mayBeNone = presence !== 'always' || !certain
  expectTypes(what, shape, { accepted, pointer, mayBeNone, numericText }, environment)
}
