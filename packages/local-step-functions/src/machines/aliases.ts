import { isDeepStrictEqual } from 'node:util'
import { ServiceError } from '@stepwright/local-server'
import type { Catalogue } from '../storage/catalogue.ts'

/** Which version runs how many of a hundred executions. */
export interface Route {
  readonly stateMachineVersionArn: string
  readonly weight: number
}

/** A name for one or two versions of a state machine. */
export interface Alias {
  readonly arn: string
  readonly machineArn: string
  readonly name: string
  readonly description: string | undefined
  readonly routes: readonly Route[]
  readonly createdMs: number
  readonly updatedMs: number
}

export interface Aliases {
  readonly create: (alias: Pick<Alias, 'machineArn' | 'name' | 'description' | 'routes'>) => Alias
  readonly update: (arn: string, changes: Partial<Pick<Alias, 'description' | 'routes'>>) => Alias
  readonly find: (arn: string) => Alias | undefined
  readonly get: (arn: string) => Alias
  readonly of: (machineArn: string) => readonly Alias[]
  readonly remove: (arn: string) => void
}

export interface AliasesOptions {
  readonly catalogue: Catalogue<Alias>
  readonly now: () => number
}

const maxAliases = 100

export function createAliases({ catalogue, now }: AliasesOptions): Aliases {
  const put = (alias: Alias): Alias => {
    catalogue.put(alias.arn, alias)
    return alias
  }
  const get = (arn: string): Alias => {
    const alias = catalogue.get(arn)
    if (alias === undefined)
      throw new ServiceError('ResourceNotFound', `Request references a resource that does not exist.`)
    return alias
  }
  const of = (machineArn: string): readonly Alias[] =>
    catalogue.values().filter(alias => alias.machineArn === machineArn)
  return {
    create: ({ machineArn, name, description, routes }) => {
      const arn = `${machineArn}:${name}`
      const existing = catalogue.get(arn)
      if (existing !== undefined) {
        const isSame = existing.description === description && isDeepStrictEqual(existing.routes, routes)
        if (isSame) return existing
        throw new ServiceError(
          'ConflictException',
          'Failed to create alias because an alias with the same name and a different routing configuration already exists.',
          409,
        )
      }
      if (of(machineArn).length >= maxAliases) {
        throw new ServiceError(
          'ServiceQuotaExceededException',
          `The state machine has ${maxAliases} aliases, which is the most that there may be`,
          402,
        )
      }
      const createdMs = now()
      return put({ arn, machineArn, name, description, routes, createdMs, updatedMs: createdMs })
    },
    update: (arn, changes) => put({ ...get(arn), ...changes, updatedMs: now() }),
    find: catalogue.get,
    get,
    of,
    remove: arn => {
      catalogue.remove(arn)
    },
  }
}
