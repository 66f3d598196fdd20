import type { AnyApp, FunctionDeclaration } from '@stepwright/app'
import { type Inspected, inspectShown, type Shown } from '@stepwright/app/bindings'
import type { ApiContext } from './context.ts'

interface ShownBy<Kind extends keyof Inspected> {
  readonly shown: Shown<Kind>
  readonly functionName: string
}

/** What the functions' bindings show of this kind, each once, with a function that has it. */
export function shownOf<Kind extends keyof Inspected>(app: AnyApp, kind: Kind): readonly ShownBy<Kind>[] {
  const found = new Map<string, ShownBy<Kind>>()
  for (const [functionName, { shows = [] }] of Object.entries<FunctionDeclaration>(app.functions)) {
    for (const shown of shows) {
      if (isOfKind(shown, kind) && !found.has(shown.name)) found.set(shown.name, { shown, functionName })
    }
  }
  return [...found.values()]
}

/** Opens it with the function's variables and the console's own rights: a function may only append to a trail. */
export function inspect<Kind extends keyof Inspected>(
  { running }: Pick<ApiContext, 'running'>,
  { shown, functionName }: ShownBy<Kind>,
): Promise<Inspected[Kind]> {
  return inspectShown(shown, { ...running.environmentOf(functionName), ...running.environment })
}

function isOfKind<Kind extends keyof Inspected>(shown: Shown, kind: Kind): shown is Shown<Kind> {
  return shown.kind === kind
}
