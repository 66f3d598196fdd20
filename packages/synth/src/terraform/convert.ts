import type { TemplateResource } from '../template/template.ts'
import type { Expressions } from './expressions.ts'

/** Properties of a resource of CloudFormation's, of any kind. */
// biome-ignore lint/suspicious/noExplicitAny: what a kind has, its converter knows
export type Properties = any

export interface ConvertContext extends Expressions {
  /** The stack's name, for what must have one. */
  readonly stackName: string
  readonly tags: Readonly<Record<string, string>>
  /** The archive of a function, relative to the module. */
  archiveOf(resourceId: string): string
  readonly hasAliases: boolean
  /** The methods of the REST API, whose deployment waits for them. */
  readonly methodIds: readonly string[]
}

/** By Terraform's type: what stands for one resource, under its id. */
export type Converted = Readonly<Record<string, object>>

export type Convert = (
  id: string,
  properties: Properties,
  context: ConvertContext,
  resource: TemplateResource,
) => Converted

/** Without what is undefined. */
export function block(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** Terraform's nearest to a resource that outlives its stack. */
export function kept({ DeletionPolicy }: TemplateResource): object {
  return DeletionPolicy === 'Retain' || DeletionPolicy === 'Snapshot'
    ? { lifecycle: { prevent_destroy: true } }
    : {}
}
