import { ServiceError } from '@stepwright/local-server'
import type { Catalogue } from '../storage/catalogue.ts'
import { parseMachineArn } from './machine-arn.ts'
import { type Machine, type Machines, type Revision, revisionOf } from './machines.ts'

/** A numbered revision of a state machine, which never changes. */
export interface MachineVersion extends Revision {
  readonly arn: string
  readonly machineArn: string
  readonly version: number
  readonly description: string | undefined
  readonly createdMs: number
}

export interface Versions {
  /** The current revision as a version; the same one if it has been published before. */
  readonly publish: (machine: Machine, description: string | undefined) => MachineVersion
  readonly find: (arn: string) => MachineVersion | undefined
  readonly of: (machineArn: string) => readonly MachineVersion[]
  readonly remove: (arn: string) => void
}

export interface VersionsOptions {
  readonly catalogue: Catalogue<MachineVersion>
  readonly machines: Machines
  readonly now: () => number
}

const maxVersions = 1000

export function createVersions({ catalogue, machines, now }: VersionsOptions): Versions {
  const of = (machineArn: string): readonly MachineVersion[] =>
    catalogue.values().filter(version => version.machineArn === machineArn)
  return {
    publish: (machine, description) => {
      const published = of(machine.arn)
      const existing = published.find(({ revisionId }) => revisionId === machine.revisionId)
      if (existing !== undefined) return existing
      if (published.length >= maxVersions) {
        throw new ServiceError(
          'ServiceQuotaExceededException',
          `The state machine has ${maxVersions} versions, which is the most that there may be`,
          402,
        )
      }
      const number = (machine.versions ?? 0) + 1
      const version: MachineVersion = {
        arn: `${machine.arn}:${number}`,
        machineArn: machine.arn,
        version: number,
        description,
        createdMs: now(),
        ...revisionOf(machine),
      }
      machines.mark(machine.arn, { versions: number })
      catalogue.put(version.arn, version)
      return version
    },
    find: catalogue.get,
    of,
    remove: arn => {
      catalogue.remove(arn)
    },
  }
}

export function isVersionArn(arn: string): boolean {
  return /^\d+$/.test(parseMachineArn(arn).qualifier ?? '')
}
