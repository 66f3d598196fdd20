import { isArray, isObject, type Json, typeName } from '../json.ts'
import { evaluateSteps, type Found, isDefinite, selectOne } from './evaluate.ts'
import { InvalidPathError, parseSteps, type Step } from './parse.ts'

/** A parsed JSONPath, ready to be followed any number of times. */
export interface CompiledPath {
  readonly text: string
  readonly steps: readonly Step[]
  readonly definite: boolean
  /** `undefined` means that nothing is there; indefinite paths yield a list instead. */
  readonly find: (root: Json) => Found
  /** Why a definite path found nothing, in Jayway's words. */
  readonly explainMissing: (root: Json) => string
}

/** Compiles a path that begins with `$`. */
export function compilePath(text: string): CompiledPath {
  const trimmed = text.trim()
  if (!trimmed.startsWith('$')) throw new InvalidPathError(text, 'it does not begin with $')
  const { steps, end } = parseSteps(trimmed, 1, text)
  if (end !== trimmed.length) throw new InvalidPathError(text, `'${trimmed.slice(end)}' is not understood`)
  return {
    text,
    steps,
    definite: isDefinite(steps),
    find: finder(steps),
    explainMissing: root => explainMissing(steps, root),
  }
}

function finder(steps: readonly Step[]): (root: Json) => Found {
  const [first] = steps
  if (first === undefined) return root => root
  if (steps.length === 1 && first.kind === 'name') {
    const { name } = first
    return root => (isObject(root) && Object.hasOwn(root, name) ? root[name] : undefined)
  }
  return root => evaluateSteps(steps, root, root)
}

function render(step: Step): string {
  return step.kind === 'name' ? `['${step.name}']` : step.kind === 'index' ? `[${step.index}]` : '[…]'
}

function explainMissing(steps: readonly Step[], root: Json): string {
  let node: Json = root
  let path = '$'
  for (const [position, step] of steps.entries()) {
    const next = selectOne(step, node)
    if (next === undefined) {
      if (step.kind === 'name' && !isObject(node)) {
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
