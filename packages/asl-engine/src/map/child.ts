import { createHash } from 'node:crypto'
import type { ExecutionIdentity } from '../execution/execution.ts'
import type { Thread } from '../execution/thread.ts'
import type { Json } from '../json.ts'

/** What the children of a Map run have in common. */
export interface Family {
  readonly arnPrefix: string
  /** The same as the beginning of a text in JSON. */
  readonly quotedArnPrefix: string
  readonly stateMachineArn: string
  readonly stateMachineName: string
  readonly roleArn: string
  /** A UUID of the run's own, but for its last eight digits. */
  readonly namePrefix: string
}

export interface FamilyOptions {
  readonly thread: Thread
  readonly label: string
  readonly executionType: 'STANDARD' | 'EXPRESS'
  readonly mapRunArn: string
}

export function createFamily({ thread, label, executionType, mapRunArn }: FamilyOptions): Family {
  const parent = thread.execution.identity
  const stateMachineArn = `${parent.stateMachineArn}/${label}`
  const kind = executionType === 'EXPRESS' ? ':express:' : ':execution:'
  const arnPrefix = `${stateMachineArn.replace(':stateMachine:', kind)}:`
  return {
    arnPrefix,
    quotedArnPrefix: JSON.stringify(arnPrefix).slice(0, -1),
    stateMachineArn,
    stateMachineName: `${parent.stateMachineName}/${label}`,
    roleArn: parent.roleArn,
    namePrefix: namePrefixOf(createHash('sha1').update(mapRunArn).digest('hex')),
  }
}

/**
 * A child of a Map run. It has the same name however often its run is interrupted: whoever keys by it sees one child.
 * The name is a UUID of the run's digest and of the child's number, and is made only if somebody asks.
 */
export class Child implements ExecutionIdentity {
  readonly family: Family
  /** Which of the run's children it is, from 0. */
  readonly index: number
  readonly input: Json
  readonly itemCount: number
  #name: string | undefined

  constructor(family: Family, index: number, input: Json, itemCount: number) {
    this.family = family
    this.index = index
    this.input = input
    this.itemCount = itemCount
  }

  get name(): string {
    this.#name ??= this.family.namePrefix + scatter(this.index)
    return this.#name
  }

  get arn(): string {
    return this.family.arnPrefix + this.name
  }

  get stateMachineArn(): string {
    return this.family.stateMachineArn
  }

  get stateMachineName(): string {
    return this.family.stateMachineName
  }

  get roleArn(): string {
    return this.family.roleArn
  }
}

function namePrefixOf(digest: string): string {
  const part = (from: number, to: number): string => digest.slice(from, to)
  return `${part(0, 8)}-${part(8, 12)}-5${part(13, 16)}-a${part(17, 20)}-${part(20, 24)}`
}

/** Eight hexadecimal digits, others for every number below 2^32, and far apart for numbers that are near. */
function scatter(index: number): string {
  const spread = Math.imul(index ^ (index >>> 16), 0x45d9f3b)
  const bits = spread ^ (spread >>> 16)
  return hex(bits >>> 24) + hex(bits >>> 16) + hex(bits >>> 8) + hex(bits)
}

const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** The lowest byte in two digits. Looking it up takes a fraction of the time of writing the number. */
function hex(bits: number): string {
  return hexDigits[bits & 0xff] as string
}
