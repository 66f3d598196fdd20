import type { App, FunctionDeclaration, WorkflowDeclaration } from '@stepwright/app'

/**
 * Variables and substitutions are deployed through `Fn::Sub`, which takes `${name}` for a reference: in values that
 * the app itself states, `${!name}` stands for the text.
 */
export function escapeLiterals(app: App): App {
  return {
    ...app,
    functions: mapValues<FunctionDeclaration>(app.functions, declared => ({
      ...declared,
      ...(declared.environment && { environment: mapValues(declared.environment, escapeLiteral) }),
    })),
    ...(app.workflows && {
      workflows: mapValues<WorkflowDeclaration>(app.workflows, declared => ({
        ...declared,
        ...(declared.substitutions && { substitutions: mapValues(declared.substitutions, escapeLiteral) }),
      })),
    }),
  }
}

export function escapeLiteral<T>(value: T): T | string {
  return typeof value === 'string' ? value.replaceAll('${', '${!') : value
}

function mapValues<V>(record: Readonly<Record<string, V>>, to: (value: V) => V): Record<string, V> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]))
}
