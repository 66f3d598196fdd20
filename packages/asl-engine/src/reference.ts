import type { ParsedPath } from '@stepwright/asl/expressions'
import type { Scope } from './expressions/scope.ts'
import { runtimeFailure } from './failures/state-failure.ts'
import type { Json } from './json.ts'
import type { Found } from './jsonpath/evaluate.ts'
import { type CompiledPath, compilePath, requirePath } from './jsonpath/path.ts'

/** A path into the input (`$.a`), the context object (`$$.a`) or a variable (`$name.a`). */
export interface Reference {
  readonly text: string
  readonly find: (scope: Scope) => Found
  /** What the path was looked up in. */
  readonly subject: (scope: Scope) => Json | undefined
  /** Why nothing was found, in Step Functions' words. */
  readonly explainMissing: (scope: Scope) => string
}

/** What the path leads to; a state that depends on it cannot go on without. */
export function findRequired(reference: Reference, scope: Scope): Json {
  const found = reference.find(scope)
  if (found === undefined) {
    throw runtimeFailure(`Invalid path '${reference.text}' : ${reference.explainMissing(scope)}`)
  }
  return found
}

/** @throws InvalidPathError */
export function compileReference(text: string): Reference {
  return referenceOf(requirePath(text))
}

export function referenceOf(parsed: ParsedPath): Reference {
  const { root, text } = parsed
  const path = compilePath(parsed)
  if (root.kind === 'context') return into(text, path, scope => scope.context())
  if (root.kind === 'variable') {
    const { name } = root
    return into(text, path, scope =>
      Object.hasOwn(scope.variables, name) ? scope.variables[name] : undefined,
    )
  }
  return {
    text,
    find: scope => path.find(scope.input),
    subject: scope => scope.input,
    explainMissing: scope => path.explainMissing(scope.input),
  }
}

function into(text: string, path: CompiledPath, subject: (scope: Scope) => Json | undefined): Reference {
  return {
    text,
    find: scope => {
      const root = subject(scope)
      return root === undefined ? undefined : path.find(root)
    },
    subject,
    explainMissing: scope => {
      const root = subject(scope)
      return root === undefined ? `No results for path: ${text}` : path.explainMissing(root)
    },
  }
}
