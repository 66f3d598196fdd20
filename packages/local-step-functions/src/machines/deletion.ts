import type { Executions } from '../executions/executions.ts'
import type { Aliases } from './aliases.ts'
import type { Machines } from './machines.ts'
import type { Versions } from './versions.ts'

/** State machines on their way out: they stay until their executions have ended. */
export interface Deletion {
  readonly begin: (machineArn: string) => void
  /** An execution of the state machine has ended. */
  readonly goOn: (machineArn: string) => void
  /** Goes on with what the last server began. */
  readonly resume: () => void
}

export interface DeletionOptions {
  readonly machines: Machines
  readonly versions: Versions
  readonly aliases: Aliases
  readonly executions: Pick<Executions, 'terminate' | 'isAnyRunning'>
}

export function createDeletion({ machines, versions, aliases, executions }: DeletionOptions): Deletion {
  const goOn = (machineArn: string): void => {
    if (machines.find(machineArn)?.isDeleting !== true || executions.isAnyRunning(machineArn)) return
    for (const { arn } of aliases.of(machineArn)) aliases.remove(arn)
    for (const { arn } of versions.of(machineArn)) versions.remove(arn)
    machines.remove(machineArn)
  }
  const begin = (machineArn: string): void => {
    if (machines.find(machineArn) === undefined) return
    machines.mark(machineArn, { isDeleting: true })
    executions.terminate(machineArn)
    goOn(machineArn)
  }
  return {
    begin,
    goOn,
    resume: () => {
      for (const { arn, isDeleting } of machines.list()) if (isDeleting === true) begin(arn)
    },
  }
}
