import { type ParsedPath, parsePath } from '@stepwright/asl/expressions'
import { isArray, isObject, type Json, typeName } from '../json.ts'
import { compileSteps } from './compile-steps.ts'
import { evaluateSteps, type Found, type Step, type Steps, selectOne } from './evaluate.ts'

/** A path into a document, ready to be followed any number of times. */
export interface CompiledPath extends Steps {
  readonly text: string
  /** `undefined` means that nothing is there; indefinite paths yield a list instead. */
  readonly find: (root: Json) => Found
  /** Why a definite path found nothing, in Jayway's words. */
  readonly explainMissing: (root: Json) => string
}

class InvalidPathError extends Error {
  override readonly name = 'InvalidPathError'
  constructor(path: string, problem: string) {
    super(`Invalid path '${path}': ${problem} Write a JSONPath such as $.orders[0].id`)
  }
}

/** @throws InvalidPathError */
export function requirePath(text: string): ParsedPath {
  const path = parsePath(text)
  if (typeof path === 'string') throw new InvalidPathError(text, path)
  return path
}

/** Compiles the steps of a path, whatever document it begins in. */
export function compilePath({ text, steps: parsed, definite }: ParsedPath): CompiledPath {
  const steps = compileSteps(parsed)
  return {
    text,
    steps,
    definite,
    find: finder({ steps, definite }),
    explainMissing: root => explainMissing(steps, root),
  }
}

function finder(path: Steps): (root: Json) => Found {
  const { steps } = path
  const [first] = steps
  if (first === undefined) return root => root
  if (steps.length === 1 && first.kind === 'field') {
    const { name } = first
    return root => (isObject(root) && Object.hasOwn(root, name) ? root[name] : undefined)
  }
  return root => evaluateSteps(path, root, root)
}

function render(step: Step): string {
  return step.kind === 'field' ? `['${step.name}']` : step.kind === 'index' ? `[${step.index}]` : '[…]'
}

function explainMissing(steps: readonly Step[], root: Json): string {
  let node: Json = root
  let path = '$'
  for (const [position, step] of steps.entries()) {
    const next = selectOne(step, node)
    if (next === undefined) {
      if (step.kind === 'field' && !isObject(node)) {
        return `Expected to find an object with property ['${step.name}'] in path ${path} but found '${typeName(node)}'. This is not a json object according to the JsonProvider: 'com.jayway.jsonpath.spi.json.JacksonJsonNodeJsonProvider'.`
      }
      if (step.kind === 'index' && !isArray(node)) {
        return `Filter: [${step.index}] can only be applied to arrays. Current context is: ${JSON.stringify(node)}`
      }
      return position === steps.length - 1
        ? `No results for path: ${path}${render(step)}`
        : `Missing property in path ${path}${render(step)}`
    }
    node = next
    path += render(step)
  }
  return `No results for path: ${path}`
}
