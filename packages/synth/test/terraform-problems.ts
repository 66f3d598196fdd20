import { readFileSync } from 'node:fs'

type Arguments = { readonly [name: string]: 1 | Arguments }
interface Schema {
  readonly arguments: Arguments
  readonly attributes: readonly string[]
}
type Blocks = Readonly<Record<string, Readonly<Record<string, object>>>>
export interface TerraformModule {
  readonly variable: Readonly<Record<string, object>>
  readonly data: Blocks
  readonly resource: Blocks
  readonly output: object
}

/**
 * Names of arguments and attributes of version 6 of the aws provider, those of the resources that are written here;
 * `!` marks what is required. Taken from the types that `@cdktf/provider-aws` 21.22.1 has for them.
 */
const schemas = JSON.parse(
  readFileSync(new URL('terraform-arguments.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, Schema>>

const metaArguments = ['depends_on', 'lifecycle']

/** What the provider would refuse in a module: unknown and missing arguments, and references to nothing. */
export function terraformProblems(module: TerraformModule): readonly string[] {
  const problems: string[] = []
  const visit = (kind: string, blocks: Blocks): void => {
    for (const [type, byName] of Object.entries(blocks)) {
      const schema = schemas[`${kind}${type}`]
      if (schema === undefined) problems.push(`${kind}${type} is not known`)
      else
        for (const [name, body] of Object.entries(byName))
          problems.push(...argumentProblems(`${type}.${name}`, body, schema.arguments))
    }
  }
  visit('', module.resource)
  visit('data.', module.data)
  return [...problems, ...referenceProblems(module)]
}

function argumentProblems(place: string, body: object, known: Arguments): readonly string[] {
  const given = Object.entries(body).filter(([name]) => !metaArguments.includes(name))
  const unknown = given.flatMap(([name]) =>
    name in known || `${name}!` in known ? [] : [`${place} has no argument ${name}`],
  )
  const missing = Object.keys(known).flatMap(name =>
    name.endsWith('!') && !(name.slice(0, -1) in body) ? [`${place} lacks ${name.slice(0, -1)}`] : [],
  )
  const inner = given.flatMap(([name, value]) => {
    const nested = known[name] ?? known[`${name}!`]
    if (typeof nested !== 'object') return []
    return [value]
      .flat()
      .flatMap((each, index) =>
        typeof each === 'object' && each !== null
          ? argumentProblems(`${place}.${name}[${index}]`, each, nested)
          : [`${place}.${name} must be a block`],
      )
  })
  return [...unknown, ...missing, ...inner]
}

/** `${aws_sqs_queue.Work.arn}`, `${var.vpc_id}`, and what `depends_on` names. */
function referenceProblems(module: TerraformModule): readonly string[] {
  const text = JSON.stringify(module)
  const found = new Set(
    [...text.matchAll(/(?<!\$)\$\{([^{}]*)\}/g)]
      .flatMap(([, expression = '']) => [
        ...expression.matchAll(/\b((?:data\.)?aws_\w+)\.(\w+)\.(\w+)|\bvar\.(\w+)/g),
      ])
      .map(([whole]) => whole),
  )
  const problems = [...found].flatMap(reference => {
    const parts = reference.split('.')
    if (parts[0] === 'var')
      return parts[1] && parts[1] in module.variable ? [] : [`${reference} is no variable`]
    const isData = parts[0] === 'data'
    const [type = '', name = '', attribute = ''] = isData ? parts.slice(1) : parts
    const exists = name in ((isData ? module.data : module.resource)[type] ?? {})
    const schema = schemas[`${isData ? 'data.' : ''}${type}`]
    if (!exists) return [`${reference} is nothing of the module`]
    return schema?.attributes.includes(attribute) ? [] : [`${reference}: there is no such attribute`]
  })
  const escaped = textsIn(module).flatMap(each =>
    [...each.matchAll(/(?<!\$)\$\{([^{}]*)\}/g)].flatMap(([expression]) =>
      expression.includes('\\') ? [`${expression} has a sign that no expression has`] : [],
    ),
  )
  const depends = [...text.matchAll(/"depends_on":\[([^\]]*)\]/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/"(\w+)\.(\w+)"/g)].flatMap(([, type = '', name = '']) =>
      name in (module.resource[type] ?? {}) ? [] : [`${type}.${name} is nothing that could be waited for`],
    ),
  )
  return [...problems, ...escaped, ...depends]
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
