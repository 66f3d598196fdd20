import type { App, FunctionDeclaration } from '@stepwright/app'
import { deployedPlaces } from './deployed-places.ts'
import { functionPolicy } from './function-policy.ts'

/** The actions that the bindings of a function allow, on whatever resource. */
export function allowedActions(app: App, functionName: string): ReadonlySet<string> {
  const { Statement } = functionPolicy(app, functionName, {
    places: deployedPlaces(app),
    databaseUserArn: '*',
  })
  const { environment = {} }: Partial<FunctionDeclaration> = app.functions[functionName] ?? {}
  // The deployment reads it in place of the function.
  const readsSecret = Object.values(environment).some(value => typeof value === 'object' && 'secret' in value)
  return new Set([
    ...Statement.flatMap(({ Action }) => Action),
    ...(readsSecret ? ['secretsmanager:GetSecretValue'] : []),
  ])
}
