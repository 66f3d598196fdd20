import { parsePath } from '../expressions/path.ts'
import type { ParsedPath } from '../expressions/syntax.ts'
import type { Json } from '../language.ts'
import type { Pointer } from '../source/pointer.ts'
import { type Access, readSteps } from './access.ts'
import { type Shape, unknown } from './shape.ts'

/** Something that a state reads. */
export interface Read {
  readonly pointer: Pointer
  /** As the definition writes it. */
  readonly text: string
  readonly path: ParsedPath
  readonly access: Access
}

/** Whether what is read is missing, or may be. */
export function isDoubtful({ access }: Read): boolean {
  return access.presence === 'never' || access.presence === 'sometimes'
}

/** Something that the data itself shows to be wrong. */
export interface FlowNote {
  readonly rule:
    | 'flow/result-path'
    | 'flow/wrong-type'
    | 'flow/doubtful-type'
    | 'flow/never-equal'
    | 'flow/unknown-function'
    | 'routes/no-default'
  readonly pointer: Pointer
  readonly message: string
  readonly suggestion: string | undefined
}

/** What the expressions of a state can see. */
export interface Environment {
  /** `$`, or `$states.input`. */
  readonly input: Shape
  /** `$$`, or `$states.context`. */
  readonly context: () => Shape
  /** The variables, as the fields of an object. */
  readonly variables: Shape
  /** `$states.result`. */
  readonly result?: Shape
  /** `$states.errorOutput`. */
  readonly errorOutput?: Shape
  readonly record: (read: Read) => void
  /** Told of what cannot go well, or may not, whatever is read. */
  readonly note?: ((note: FlowNote) => void) | undefined
}

/** The path that a field holds, if it holds one. */
export function toPath(field: Json | undefined): ParsedPath | undefined {
  const path = typeof field === 'string' ? parsePath(field) : ''
  return typeof path === 'string' ? undefined : path
}

/** The value at a path. What is not there was recorded, and counts as unknown from here on. */
export function readPath(path: ParsedPath, environment: Environment, pointer: Pointer): Shape {
  const access = lookUp(path, environment)
  environment.record({ pointer, text: path.text, path, access })
  return access.presence === 'never' ? unknown : access.shape
}

export function lookUp(path: ParsedPath, environment: Environment): Access {
  if (path.root.kind === 'context') return readSteps(environment.context(), path.steps)
  if (path.root.kind === 'input') return readSteps(environment.input, path.steps)
  return readSteps(environment.variables, [{ kind: 'field', name: path.root.name }, ...path.steps])
}
