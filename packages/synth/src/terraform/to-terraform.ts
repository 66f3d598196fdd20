import type { Deployment } from '../deployment.ts'
import { functionId } from '../template/functions.ts'
import type { Template, TemplateParameter } from '../template/template.ts'
import type { Convert } from './convert.ts'
import { apiConverters } from './convert-api.ts'
import { computeConverters } from './convert-compute.ts'
import { databaseConverters } from './convert-database.ts'
import { eventConverters } from './convert-events.ts'
import { storageConverters } from './convert-storage.ts'
import { createExpressions, toSnake } from './expressions.ts'

/** A file of the deployment: an archive of code, or a script. */
export interface DeployedFile {
  /** Its key in the bucket of the code. */
  readonly key: string
  /** Where it is, relative to the module. */
  readonly path: string
}

const converters: Readonly<Record<string, Convert>> = {
  ...apiConverters,
  ...computeConverters,
  ...databaseConverters,
  ...eventConverters,
  ...storageConverters,
}

/**
 * A module of Terraform, in its JSON: the resources of the template as those of the `aws` provider, under the same
 * names. The template's parameters are its variables, its outputs its outputs.
 */
export function toTerraform(
  { app, stage, tags, names, alias }: Deployment,
  template: Template,
  archives: Readonly<Record<string, DeployedFile>>,
  scripts: Readonly<Record<string, DeployedFile>>,
): object {
  const stackName = [app.name, ...(stage === undefined ? [] : [stage])].join('-')
  const expressions = createExpressions(template)
  const archiveByFunction = Object.fromEntries(
    Object.keys(names.functions).map(name => [functionId(name), archives[name]?.path ?? `code/${name}.zip`]),
  )
  const context = {
    ...expressions,
    stackName,
    tags,
    archiveOf: (id: string) => archiveByFunction[id] ?? '',
    hasAliases: alias !== undefined,
    methodIds: idsOf(template, 'AWS::ApiGateway::Method'),
  }
  const resource: Record<string, Record<string, object>> = {}
  const add = (type: string, name: string, body: object): void => {
    resource[type] = { ...resource[type], [name]: body }
  }
  for (const [id, given] of Object.entries(template.Resources)) {
    const convert = converters[given.Type]
    if (convert === undefined) throw new TypeError(`Terraform has nothing here for ${given.Type}`)
    for (const [key, body] of Object.entries(convert(id, given.Properties, context, given))) {
      const [type = '', name = id] = key.split(' ')
      add(type, name, body)
    }
  }
  for (const [name, { key, path }] of Object.entries(scripts))
    add('aws_s3_object', `${name}Script`, {
      bucket: `\${var.code_bucket}`,
      key: `\${var.code_prefix}${key}`,
      source: `\${path.module}/${path}`,
      source_hash: `\${filemd5("\${path.module}/${path}")}`,
    })
  const output = Object.fromEntries(
    Object.entries(template.Outputs).map(([key, { Description, Value }]) => [
      toSnake(key),
      { description: Description, value: expressions.value(Value) },
    ]),
  )
  return {
    terraform: {
      required_version: '>= 1.5',
      required_providers: { aws: { source: 'hashicorp/aws', version: '>= 6.24' } },
    },
    variable: variablesOf(template.Parameters, Object.keys(scripts).length > 0),
    data: {
      aws_caller_identity: { current: {} },
      aws_partition: { current: {} },
      aws_region: { current: {} },
      ...(expressions.secrets.size > 0 && {
        aws_secretsmanager_secret_version: Object.fromEntries(
          [...expressions.secrets].map(([name, id]) => [name, { secret_id: id }]),
        ),
      }),
    },
    resource,
    output,
  }
}

function idsOf({ Resources }: Template, type: string): readonly string[] {
  return Object.entries(Resources).flatMap(([id, { Type }]) => (Type === type ? [id] : []))
}

/** Terraform sends functions their code itself, and reads secrets each time: it asks for a bucket for scripts only. */
function variablesOf(parameters: Readonly<Record<string, TemplateParameter>>, hasScripts: boolean): object {
  const asked = Object.entries(parameters).filter(([key]) => hasScripts || !key.startsWith('Code'))
  return Object.fromEntries(
    asked.map(([key, { Type, Description, Default }]) => [
      toSnake(key),
      {
        type: Type.startsWith('List<') ? 'list(string)' : 'string',
        description: Description,
        ...(Default !== undefined && { default: Default }),
      },
    ]),
  )
}
