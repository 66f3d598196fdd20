import { retryFor } from '@stepwright/asl'
import { type AnyTask, describeTask, type JsonSchema, type TaskNeeds } from '@stepwright/task'
import { toJSONSchema, type ZodType } from 'zod'
import { taskModules } from './handlers.ts'

/** A handler's page in the catalogue, from its code alone. */
export function describeHandler(packageName: string, name: string, task: AnyTask): string {
  const contract = describeTask(task, {
    toJsonSchema: (schema, io) => toJSONSchema(schema as unknown as ZodType, { io, unrepresentable: 'any' }),
  })
  const { description = '', needs, input, output, errors } = contract
  const own = errors.filter(({ kind }) => kind === 'business').map(error => `\`${error.name}\``)
  const retried = errors.filter(({ kind }) => kind === 'retryable').map(error => `\`${error.name}\``)
  return [
    `### ${name}`,
    description,
    [
      `- Import: \`import { ${name} } from '@stepwright/${packageName}/tasks'\``,
      `- Function: \`lambda(${name}${isFactory(packageName, name) ? '(…)' : ''}, { ${requiredPorts(needs).join(', ')} })\``,
      `- Input: ${fieldsOf(input)}`,
      `- Output: ${fieldsOf(output)}`,
      `- Business errors: ${own.join(', ')}`,
      `- Retryable errors: ${retried.join(', ')}`,
      ...Object.entries(needs?.ports ?? {}).map(([port, what]) => `- Port \`${port}\`: ${what}`),
      ...(needs?.permissions ?? []).map(
        ({ actions, on }) => `- Permission: ${actions.map(action => `\`${action}\``).join(', ')} on ${on}`,
      ),
    ].join('\n'),
    `\`\`\`json\n${printJson({ [stateName(name)]: exampleState(name, task, input) })}\n\`\`\``,
  ].join('\n\n')
}

/** Whether the package exports what makes the task, from options. */
function isFactory(packageName: string, name: string): boolean {
  return typeof taskModules[packageName]?.[name] === 'function'
}

function requiredPorts(needs: TaskNeeds | undefined): readonly string[] {
  return Object.entries(needs?.ports ?? {}).flatMap(([port, what]) =>
    /optional|by default|needed where/.test(what) ? [] : [port],
  )
}

function fieldsOf(schema: JsonSchema | undefined): string {
  const properties = (schema?.['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
  const required = new Set((schema?.['required'] ?? []) as readonly string[])
  const fields = Object.entries(properties).map(
    ([name, field]) => `\`${name}${required.has(name) ? '' : '?'}\` (${typeOf(field)})`,
  )
  return fields.length === 0 ? 'any JSON' : fields.join(', ')
}

function typeOf(schema: JsonSchema): string {
  const options = (schema['anyOf'] ?? schema['oneOf']) as readonly JsonSchema[] | undefined
  if (options) return [...new Set(options.map(typeOf))].join(' or ')
  if (Array.isArray(schema['enum'])) return schema['enum'].map(value => JSON.stringify(value)).join(' or ')
  if ('const' in schema) return JSON.stringify(schema['const'])
  return String(schema['type'] ?? 'any')
}

function stateName(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

/** A state that calls it, with the Retry that its errors ask for. */
function exampleState(name: string, task: AnyTask, input: JsonSchema | undefined): object {
  const required = (input?.['required'] ?? []) as readonly string[]
  const payload =
    required.length === 0
      ? { 'Payload.$': '$' }
      : { Payload: Object.fromEntries(required.map(field => [`${field}.$`, `$.${field}`])) }
  return {
    Type: 'Task',
    Resource: 'arn:aws:states:::lambda:invoke',
    Parameters: { FunctionName: `\${${stateName(name)}}`, ...payload },
    ResultSelector: { 'result.$': '$.Payload' },
    ResultPath: `$.${name}`,
    Retry: retryFor(task),
    Next: 'Then',
  }
}

/** Arrays and objects that fit are on one line. */
function printJson(value: object): string {
  let text = JSON.stringify(value, undefined, 2)
  for (let before = ''; before !== text; ) {
    before = text
    text = text.replaceAll(
      /([[{])\n\s+([^\n]*(?:,\n\s+[^[\]{}\n]*)*)\n\s*([\]}])/g,
      (whole, open, inner: string, close) => {
        const line = inner.replaceAll(/\n\s+/g, ' ')
        const padded = open === '{' ? `{ ${line} }` : `[${line}]`
        return padded.length <= 100 && padded.endsWith(close) ? padded : whole
      },
    )
  }
  return text
}
