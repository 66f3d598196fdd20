import { stateMachineMissing } from '../api/refusals.ts'
import type { Aliases } from './aliases.ts'
import { parseMachineArn } from './machine-arn.ts'
import { type Machine, type Machines, revisionOf } from './machines.ts'
import type { Versions } from './versions.ts'

/** What an execution is an execution of. */
export interface ExecutionTarget {
  /** With the definition and the role of the version, if there is one. */
  readonly machine: Machine
  readonly stateMachineVersionArn?: string
  readonly stateMachineAliasArn?: string
}

export interface TargetOptions {
  readonly machines: Machines
  readonly versions: Versions
  readonly aliases: Aliases
  readonly random: () => number
}

/** What runs when this ARN is started: the state machine, a version of it, or one of the versions of an alias. */
export function createTargetOf({ machines, versions, aliases, random }: TargetOptions) {
  const version = (arn: string): ExecutionTarget => {
    const found = versions.find(arn)
    if (found === undefined) throw stateMachineMissing(arn)
    const machine = { ...machines.active(found.machineArn), ...revisionOf(found) }
    return { machine, stateMachineVersionArn: arn }
  }
  return (arn: string): ExecutionTarget => {
    if (parseMachineArn(arn).qualifier === undefined) return { machine: machines.active(arn) }
    const alias = aliases.find(arn)
    if (alias === undefined) return version(arn)
    const chance = random() * 100
    const [first, second] = alias.routes
    const route = second !== undefined && chance >= (first?.weight ?? 0) ? second : first
    return { ...version(route?.stateMachineVersionArn ?? ''), stateMachineAliasArn: arn }
  }
}
