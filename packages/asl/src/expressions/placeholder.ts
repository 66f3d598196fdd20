import { isArray, isObject } from '../json.ts'
import type { Json } from '../language.ts'

/** What `${Name}` stands for, by its name. */
export type Substitutions = Readonly<Record<string, string>>

/** A value that a deployment tool fills in, wholly or in part: `${TableName}`, or `#{TableName}` in Serverless. */
export function isPlaceholder(value: Json | undefined): boolean {
  return typeof value === 'string' && (value.includes('${') || value.includes('#{'))
}

/** CloudFormation's pseudo parameters, as they are in an account of the standard partition. */
export const pseudoParameters: Substitutions = {
  'AWS::AccountId': '123456789012',
  'AWS::NoValue': '',
  'AWS::Partition': 'aws',
  'AWS::Region': 'us-east-1',
  'AWS::StackId': 'arn:aws:cloudformation:us-east-1:123456789012:stack/stack/0',
  'AWS::StackName': 'stack',
  'AWS::URLSuffix': 'amazonaws.com',
}

const placeholder = /[$#]\{([^{}]+)\}/g

/** The text with the values in place of `${Name}`; names that have none stay, and `${!Name}` is `${Name}` itself. */
export function substitute(text: string, values: Substitutions): string {
  if (!isPlaceholder(text)) return text
  return text.replace(placeholder, (whole, name: string) => {
    if (name.startsWith('!')) return `\${${name.slice(1)}}`
    return Object.hasOwn(values, name) ? (values[name] as string) : whole
  })
}

/** JSON with the values in place of `${Name}` in its texts. */
export function substituteAll(value: Json, values: Substitutions): Json {
  if (typeof value === 'string') return substitute(value, values)
  if (isArray(value)) return value.map(item => substituteAll(item, values))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, substituteAll(field, values)]))
}

/** The substitutions of a machine: a placeholder named like a function is that function, unless `given` says otherwise. */
export function substitutionsFor(functions: Iterable<string>, given: Substitutions = {}): Substitutions {
  return { ...pseudoParameters, ...Object.fromEntries([...functions].map(name => [name, name])), ...given }
}
