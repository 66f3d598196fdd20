import { readFileSync } from 'node:fs'
import { type App, physicalNames } from '@stepwright/app'
import { appPolicies, type Statement } from '@stepwright/policy'
import { placesOf } from '../app/places.ts'
import { isAskedHere, type StatementsOf } from './local-roles.ts'

/** What an app's roles are allowed, of which a test can withhold a statement to see what fails. */
export interface Withholding {
  /** Every statement that something on this machine asks for, by its role and its Sid. */
  readonly statements: readonly (readonly [role: string, sid: string])[]
  /** For `enforcePolicies`. */
  readonly statementsOf: StatementsOf
  /** Takes a statement from its role, and from roles that are allowed the same, until it is called again. */
  withhold(role?: string, sid?: string): void
  /** A workflow's definition without its retries, which would only take time. */
  withoutRetries(workflow: string): object
}

export function createWithholding(app: App): Withholding {
  const nowhere = { databaseUrl: () => '', apiUrl: () => '', queueUrl: (name: string) => name }
  const roles = appPolicies(app, { places: placesOf(app, physicalNames(app), nowhere) })
  // Nobody takes the roles of Glue and EventBridge here. Sorted: of roles that are allowed the same, one is tried,
  // and it must not depend on the order of the declaration which.
  const here = roles
    .filter(({ kind }) => kind === 'function' || kind === 'workflow')
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const known = new Set<string>()
  const statements = here.flatMap(({ name, document }) => {
    const asked = document.Statement.filter(isAskedHere)
    const same = keyOf(asked)
    if (known.has(same)) return []
    known.add(same)
    return asked.map(({ Sid }) => [name, Sid] as const)
  })
  let from: string | undefined
  let withheld: string | undefined
  const left = new Map<string, readonly Statement[]>()
  return {
    statements,
    statementsOf({ document: { Statement: all } }) {
      const key = keyOf(all.filter(isAskedHere))
      if (key !== from) return all
      const name = `${withheld} ${key}`
      const rest = left.get(name) ?? all.filter(({ Sid }) => Sid !== withheld)
      left.set(name, rest)
      return rest
    },
    withhold(role, sid) {
      const found = here.find(({ name }) => name === role)
      from = found && keyOf(found.document.Statement.filter(isAskedHere))
      withheld = sid
    },
    withoutRetries(workflow) {
      const { definition } = app.workflows?.[workflow] ?? { definition: '' }
      const text = readFileSync(new URL(definition, app.root), 'utf8')
      return JSON.parse(text, (key, value) => (key === 'Retry' ? undefined : value))
    },
  }
}

function keyOf(statements: readonly Statement[]): string {
  return JSON.stringify(statements)
}
