import { createHash } from 'node:crypto'
import { ApiError, stateMachineMissing } from '../api/api-error.ts'
import { acceptDefinition } from '../api/definition.ts'
import type { Catalogue } from '../storage/catalogue.ts'
import type { ExecutionStore } from '../storage/execution-store.ts'

export type Tags = Readonly<Record<string, string>>

/** A state machine as it was last updated. */
export interface Machine {
  readonly arn: string
  readonly name: string
  readonly definitionText: string
  /** Executions are kept with it instead of the definition that they began with. */
  readonly definitionId: string
  readonly roleArn: string
  readonly type: 'STANDARD' | 'EXPRESS'
  readonly createdMs: number
  readonly revisionId: string
  readonly loggingConfiguration: unknown
  readonly tracingConfiguration: unknown
  readonly tags: Tags
}

type GivenFields = Omit<Machine, 'arn' | 'createdMs' | 'revisionId' | 'definitionId'>

export interface Machines {
  readonly create: (machine: GivenFields) => Machine
  readonly update: (arn: string, changes: Partial<Omit<GivenFields, 'name' | 'type'>>) => Machine
  readonly remove: (arn: string) => void
  readonly get: (arn: string) => Machine
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
  return {
    create: fields => {
      const arn = `${arnPrefix}:stateMachine:${fields.name}`
      acceptDefinition(fields.definitionText, fields.type)
      const existing = catalogue.get(arn)
      if (existing === undefined) return put({ ...fields, arn, createdMs: now(), revisionId: uuid() })
      const isSame = existing.definitionText === fields.definitionText && existing.type === fields.type
      if (isSame) return existing
      throw new ApiError('StateMachineAlreadyExists', `State Machine Already Exists: '${arn}'`)
    },
    update: (arn, changes) => {
      const machine = get(arn)
      if (changes.definitionText !== undefined) acceptDefinition(changes.definitionText, machine.type)
      return put({ ...machine, ...changes, revisionId: uuid() })
    },
    remove: arn => {
      catalogue.remove(arn)
    },
    get,
    find: catalogue.get,
    list: () =>
      [...catalogue.values()].sort((a, b) => b.createdMs - a.createdMs || (a.name < b.name ? -1 : 1)),
  }
}
