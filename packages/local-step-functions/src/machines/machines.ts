import type { StateMachine } from '@stepwright/asl'
import { ApiError, stateMachineMissing } from '../api/api-error.ts'
import { acceptDefinition } from '../api/definition.ts'
import type { Journals } from './journal.ts'

export type Tags = Readonly<Record<string, string>>

/** A state machine as it was last updated. */
export interface Machine {
  readonly arn: string
  readonly name: string
  readonly definitionText: string
  readonly roleArn: string
  readonly type: 'STANDARD' | 'EXPRESS'
  readonly createdMs: number
  readonly revisionId: string
  readonly loggingConfiguration: unknown
  readonly tracingConfiguration: unknown
  readonly tags: Tags
}

export interface Machines {
  readonly create: (machine: Omit<Machine, 'arn' | 'createdMs' | 'revisionId'>) => Machine
  readonly update: (
    arn: string,
    changes: Partial<Omit<Machine, 'arn' | 'name' | 'type' | 'createdMs'>>,
  ) => Machine
  readonly remove: (arn: string) => void
  readonly get: (arn: string) => Machine
  readonly find: (arn: string) => Machine | undefined
  readonly list: () => readonly Machine[]
  readonly definitionOf: (machine: Machine) => StateMachine
}

export interface MachinesOptions {
  readonly journals: Journals
  readonly arnPrefix: string
  readonly now: () => number
  readonly uuid: () => string
}

type Entry = { readonly put: Machine } | { readonly removed: string }

export function createMachines({ journals, arnPrefix, now, uuid }: MachinesOptions): Machines {
  const journal = journals.open('state-machines')
  const machines = new Map<string, Machine>()
  for (const entry of journal.read() as readonly Entry[]) {
    if ('put' in entry) machines.set(entry.put.arn, entry.put)
    else machines.delete(entry.removed)
  }
  const put = (machine: Machine): Machine => {
    journal.append({ put: machine } satisfies Entry)
    machines.set(machine.arn, machine)
    return machine
  }
  const get = (arn: string): Machine => {
    const machine = machines.get(arn)
    if (machine === undefined) throw stateMachineMissing(arn)
    return machine
  }
  return {
    create: fields => {
      const arn = `${arnPrefix}:stateMachine:${fields.name}`
      acceptDefinition(fields.definitionText, fields.type)
      const existing = machines.get(arn)
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
      if (!machines.delete(arn)) return
      journal.append({ removed: arn } satisfies Entry)
    },
    get,
    find: arn => machines.get(arn),
    list: () =>
      [...machines.values()].sort((a, b) => b.createdMs - a.createdMs || (a.name < b.name ? -1 : 1)),
    definitionOf: machine => JSON.parse(machine.definitionText) as StateMachine,
  }
}
