import type { Scope } from './expressions/scope.ts'
import { runtimeFailure } from './failures/state-failure.ts'
import type { Json } from './json.ts'
import type { Found } from './jsonpath/evaluate.ts'
import { InvalidPathError } from './jsonpath/parse.ts'
import { type CompiledPath, compilePath } from './jsonpath/path.ts'

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

const variablePattern = /^\$([\p{L}_][\p{L}\p{N}_]*)/u

export function compileReference(text: string): Reference {
  if (text.startsWith('$$')) {
    const path = compilePath(text.slice(1))
    return into(text, path, scope => scope.context())
  }
  const variable = variablePattern.exec(text)?.[1]
  if (variable === undefined) {
    const path = compilePath(text)
    return {
      text,
      find: scope => path.find(scope.input),
      subject: scope => scope.input,
      explainMissing: scope => path.explainMissing(scope.input),
    }
  }
  if (!text.startsWith('$')) throw new InvalidPathError(text, 'it does not begin with $')
  const path = compilePath(`$${text.slice(1 + variable.length)}`)
  return into(text, path, scope =>
    Object.hasOwn(scope.variables, variable) ? scope.variables[variable] : undefined,
  )
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
