import type { App, FunctionDeclaration } from '@stepwright/app'
import { type Inspected, inspectShown, type Shown } from '@stepwright/app/bindings'
import type { RunningApp } from '@stepwright/local-cloud'

/** What the bindings of an app's functions show, opened when somebody first looks. */
export interface Inspections extends AsyncDisposable {
  has(kind: keyof Inspected): boolean
  /** Each once, however many functions have it. */
  open<Kind extends keyof Inspected>(kind: Kind): Promise<readonly Inspected[Kind][]>
}

export function createInspections(app: App, running: RunningApp): Inspections {
  const shown = new Map<string, { readonly shown: Shown; readonly functionName: string }>()
  for (const [functionName, { shows = [] }] of Object.entries<FunctionDeclaration>(app.functions)) {
    for (const each of shows) shown.set(`${each.kind} ${each.name}`, { shown: each, functionName })
  }
  const opened = new Map<Shown, Promise<Inspected[keyof Inspected]>>()
  const open = (each: Shown, functionName: string): Promise<Inspected[keyof Inspected]> => {
    const already = opened.get(each)
    if (already) return already
    // The function's variables, with the console's own rights: a function may only append to a trail.
    const opening = inspectShown(each, { ...running.environmentOf(functionName), ...running.environment })
    opened.set(each, opening)
    opening.catch(() => opened.delete(each))
    return opening
  }
  const ofKind = (kind: keyof Inspected) => [...shown.values()].filter(each => each.shown.kind === kind)
  return {
    has: kind => ofKind(kind).length > 0,
    open: kind =>
      Promise.all(ofKind(kind).map(each => open(each.shown, each.functionName))) as Promise<never[]>,
    async [Symbol.asyncDispose]() {
      for (const each of await Promise.allSettled(opened.values())) {
        if (each.status === 'fulfilled') await each.value[Symbol.asyncDispose]()
      }
    },
  }
}
