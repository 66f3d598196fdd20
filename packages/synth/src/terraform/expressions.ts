import type { Template } from '../template/template.ts'
import { terraformKinds } from './kinds.ts'

type Fields = Readonly<Record<string, unknown>>

const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::AccountId': 'data.aws_caller_identity.current.account_id',
  'AWS::Partition': 'data.aws_partition.current.partition',
  'AWS::Region': 'data.aws_region.current.region',
  'AWS::URLSuffix': 'data.aws_partition.current.dns_suffix',
}

/** CloudFormation's values in Terraform's terms. */
export interface Expressions {
  /** A value, with references as `${…}` and what only looks like one escaped. */
  value(value: unknown): unknown
  /** The same as JSON, for policies and patterns. */
  json(value: unknown): string
  /** A text in which names stand for values: what the definition of a state machine is. */
  template(text: string, values: Fields): string
  /** The secrets that values were taken from, by the names of their data sources. */
  readonly secrets: ReadonlyMap<string, string>
}

export function createExpressions({ Resources, Parameters }: Template): Expressions {
  const secrets = new Map<string, string>()

  function reference(name: string, attribute?: string): string {
    const pseudo = pseudoParameters[name]
    if (pseudo !== undefined) return pseudo
    if (name in Parameters) return `var.${toSnake(name)}`
    const { Type = '' } = Resources[name] ?? {}
    const kind = terraformKinds[Type]
    const found = attribute === undefined ? kind?.ref : kind?.attributes?.[attribute]
    if (kind === undefined || found === undefined)
      throw new TypeError(`Terraform has nothing for ${attribute ?? 'Ref'} of ${name} (${Type})`)
    return `${kind.type}.${kind.nameOf?.(name) ?? name}.${found}`
  }

  function ofSub(text: string, values: Fields): string {
    return text.replaceAll(/\$\{([^{}!]+)\}/g, (_, name: string) => {
      if (Object.hasOwn(values, name)) return asText(value(values[name]))
      const [id = '', ...attribute] = name.split('.')
      return `\${${attribute.length === 0 ? reference(id) : reference(id, attribute.join('.'))}}`
    })
  }

  function literal(text: string): string {
    const escaped = text.replaceAll('${', '$${').replaceAll('%{', '%%{')
    return withSecrets(escaped)
  }

  function withSecrets(text: string): string {
    return text.replaceAll(/\{\{resolve:secretsmanager:([^:{}]+):SecretString\}\}/g, (_, id: string) => {
      const name = id.replaceAll(/[^A-Za-z0-9]+/g, '_')
      secrets.set(name, id)
      return `\${data.aws_secretsmanager_secret_version.${name}.secret_string}`
    })
  }

  function value(given: unknown): unknown {
    if (typeof given === 'string') return literal(given)
    if (Array.isArray(given)) return given.map(value)
    if (typeof given !== 'object' || given === null) return given
    const fields = given as Fields
    if (typeof fields['Ref'] === 'string')
      return fields['Ref'] === 'AWS::NoValue' ? undefined : `\${${reference(fields['Ref'])}}`
    const attribute = fields['Fn::GetAtt'] as readonly [string, string] | undefined
    if (attribute !== undefined) return `\${${reference(...attribute)}}`
    const sub = fields['Fn::Sub'] as string | readonly [string, Fields] | undefined
    if (typeof sub === 'string') return withSecrets(ofSub(sub, {}))
    if (sub !== undefined) return withSecrets(ofSub(...sub))
    if ('Fn::If' in fields) return `\${var.alarm_topic_arn == "" ? [] : [var.alarm_topic_arn]}`
    const select = fields['Fn::Select'] as
      | readonly [number, { readonly 'Fn::Split': [string, unknown] }]
      | undefined
    if (select !== undefined) {
      const [
        index,
        {
          'Fn::Split': [separator, whole],
        },
      ] = select
      const inner = asText(value(whole)).replace(/^\$\{(.*)\}$/, '$1')
      return `\${split("${separator}", ${inner})[${index}]}`
    }
    return Object.fromEntries(
      Object.entries(fields).flatMap(([key, each]) => {
        const translated = value(each)
        return translated === undefined ? [] : [[key, translated]]
      }),
    )
  }

  return {
    value,
    // Inside of an expression, quotes are quotes.
    json: given =>
      JSON.stringify(value(given)).replaceAll(/(?<!\$)\$\{[^{}]*\}/g, each => each.replaceAll('\\"', '"')),
    template(text, values) {
      const parts = text.split(/\$\{([^{}!]+)\}/)
      return parts
        .map((part, index) => {
          if (index % 2 === 0) return part.replaceAll('%{', '%%{')
          return Object.hasOwn(values, part) ? asText(value(values[part])) : `$\${${part}}`
        })
        .join('')
    },
    secrets,
  }
}

function asText(value: unknown): string {
  return String(value)
}

/** `SubnetIds` → `subnet_ids`. */
export function toSnake(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, letter => `_${letter}`).toLowerCase()
}
