import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findMachines, isTemplate, parseDefinition, withSubstitutions } from '@stepwright/asl'
import { UsageError } from './io.ts'

/** A state machine that a template deploys. */
export interface DeployedMachine {
  /** Its logical id, or its address in Terraform. */
  readonly id: string
  readonly type: 'STANDARD' | 'EXPRESS'
  readonly definition: unknown
}

/** The state machines of a template of CloudFormation, CDK, SAM or Serverless, or of a plan of Terraform as JSON. */
export function readMachines(file: string, text: string): readonly DeployedMachine[] {
  const source = parseDefinition(text, { file })
  if (source.broken) throw new UsageError(`${file} cannot be read: ${source.problems[0]?.message ?? ''}`)
  const value = source.value as unknown
  if (isPlan(value)) return ofPlan(value)
  if (!isTemplate(source.value))
    throw new UsageError(`${file} must be a template, or a plan of Terraform: terraform show -json plan.out`)
  return findMachines(source).map(({ logicalId, type, source: own, file: named, substitutions }) => {
    if (own !== undefined) return { id: logicalId, type, definition: own.value }
    if (named === undefined) throw new UsageError(`${file} does not hold the definition of ${logicalId}.`)
    const path = join(dirname(file), named)
    const written = parseDefinition(readFileSync(path, 'utf8'), { file: path })
    return { id: logicalId, type, definition: withSubstitutions(written, substitutions).value }
  })
}

interface PlanModule {
  readonly resources?: readonly {
    readonly type: string
    readonly address: string
    readonly values: Readonly<Record<string, unknown>>
  }[]
  readonly child_modules?: readonly PlanModule[]
}

interface Plan {
  readonly planned_values: { readonly root_module: PlanModule }
}

function isPlan(value: unknown): value is Plan {
  const root = (value as Partial<Plan> | null)?.planned_values?.root_module
  return typeof root === 'object'
}

function ofPlan({ planned_values: { root_module } }: Plan): readonly DeployedMachine[] {
  const visit = ({ resources = [], child_modules = [] }: PlanModule): readonly DeployedMachine[] => [
    ...resources.filter(({ type }) => type === 'aws_sfn_state_machine').map(toMachine),
    ...child_modules.flatMap(visit),
  ]
  return visit(root_module)
}

function toMachine({ address, values }: NonNullable<PlanModule['resources']>[number]): DeployedMachine {
  const { definition, type } = values
  if (typeof definition !== 'string') {
    throw new UsageError(
      `The plan does not know the definition of ${address} yet: it depends on what is created. Plan again after a first apply, or with -target for what it depends on.`,
    )
  }
  return {
    id: address,
    type: type === 'EXPRESS' ? 'EXPRESS' : 'STANDARD',
    definition: parseDefinition(definition).value,
  }
}
