import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { ServiceError } from '@stepwright/local-server'
import { acceptDefinition } from '../api/definition.ts'
import { stateMachineDeleting, stateMachineMissing } from '../api/refusals.ts'
import type { Catalogue } from '../storage/catalogue.ts'
import type { ExecutionStore } from '../storage/execution-store.ts'

export type Tags = Readonly<Record<string, string>>

/** What executions run: a state machine's, or that of one of its versions. */
export interface Revision {
  readonly definitionText: string
  /** Executions are kept with it instead of the definition that they began with. */
  readonly definitionId: string
  readonly roleArn: string
  readonly revisionId: string
  readonly loggingConfiguration: unknown
  readonly tracingConfiguration: unknown
}

export function revisionOf(from: Revision): Revision {
  const { definitionText, definitionId, roleArn, revisionId, loggingConfiguration, tracingConfiguration } =
    from
  return { definitionText, definitionId, roleArn, revisionId, loggingConfiguration, tracingConfiguration }
}

/** A state machine as it was last updated. */
export interface Machine extends Revision {
  readonly arn: string
  readonly name: string
  readonly type: 'STANDARD' | 'EXPRESS'
  readonly createdMs: number
  /** @default createdMs */
  readonly updatedMs?: number
  readonly tags: Tags
  /** It is gone when its executions have ended. @default false */
  readonly isDeleting?: boolean
  /** How many versions were ever published. @default 0 */
  readonly versions?: number
}

/** The revision of a state machine that was never updated. */
export const initialRevision = 'INITIAL'

type GivenFields = Pick<
  Machine,
  'name' | 'type' | 'definitionText' | 'roleArn' | 'loggingConfiguration' | 'tracingConfiguration' | 'tags'
>

export interface Machines {
  readonly create: (machine: GivenFields) => Machine
  readonly update: (arn: string, changes: Partial<Omit<GivenFields, 'name' | 'type' | 'tags'>>) => Machine
  /** What does not make another revision of it. */
  readonly mark: (arn: string, changes: Partial<Pick<Machine, 'tags' | 'isDeleting' | 'versions'>>) => Machine
  readonly remove: (arn: string) => void
  readonly get: (arn: string) => Machine
  /** One that is not about to go. */
  readonly active: (arn: string) => Machine
  readonly find: (arn: string) => Machine | undefined
  readonly list: () => readonly Machine[]
}

export interface MachinesOptions {
  readonly catalogue: Catalogue<Machine>
  readonly store: Pick<ExecutionStore, 'keepDefinition'>
  readonly arnPrefix: string
  readonly now: () => number
  readonly uuid: () => string
}

export function createMachines({ catalogue, store, arnPrefix, now, uuid }: MachinesOptions): Machines {
  const put = (machine: Omit<Machine, 'definitionId'>): Machine => {
    const definitionId = createHash('sha256').update(machine.definitionText).digest('hex').slice(0, 32)
    store.keepDefinition(definitionId, machine.definitionText)
    const whole = { ...machine, definitionId }
    catalogue.put(machine.arn, whole)
    return whole
  }
  const get = (arn: string): Machine => {
    const machine = catalogue.get(arn)
    if (machine === undefined) throw stateMachineMissing(arn)
    return machine
  }
  const active = (arn: string): Machine => {
    const machine = get(arn)
    if (machine.isDeleting === true) throw stateMachineDeleting(arn)
    return machine
  }
  return {
    create: fields => {
      const arn = `${arnPrefix}:stateMachine:${fields.name}`
      acceptDefinition(fields.definitionText, fields.type)
      if (catalogue.get(arn) === undefined)
        return put({ ...fields, arn, createdMs: now(), revisionId: initialRevision })
      const existing = active(arn)
      const isSame = (
        ['definitionText', 'type', 'loggingConfiguration', 'tracingConfiguration'] as const
      ).every(field => isDeepStrictEqual(existing[field], fields[field]))
      if (isSame) return existing
      throw new ServiceError('StateMachineAlreadyExists', `State Machine Already Exists: '${arn}'`)
    },
    update: (arn, changes) => {
      const machine = active(arn)
      if (changes.definitionText !== undefined) acceptDefinition(changes.definitionText, machine.type)
      const isSame = isDeepStrictEqual({ ...machine, ...changes }, machine)
      return isSame ? machine : put({ ...machine, ...changes, updatedMs: now(), revisionId: uuid() })
    },
    mark: (arn, changes) => {
      const machine = { ...get(arn), ...changes }
      catalogue.put(arn, machine)
      return machine
    },
    remove: arn => {
      catalogue.remove(arn)
    },
    get,
    active,
    find: catalogue.get,
    list: () => catalogue.values(),
  }
}
