import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { checkWorkflow } from './index.ts'

const corpus = fileURLToPath(new URL('../../../../shared/conformance/', import.meta.url))
const absent = !existsSync(corpus)
if (absent)
  process.stderr.write(
    'skipped: no recordings of Step Functions in ../shared/conformance beside the repository\n',
  )

interface Case {
  readonly name: string
  readonly type?: 'STANDARD' | 'EXPRESS'
  readonly definition: unknown
  readonly valid?: boolean | null
  readonly title?: string
  readonly input?: unknown
  readonly expected: {
    readonly status: string
    readonly error: string
    readonly message: string
    readonly diagnostics: readonly { message: string; location: string }[]
  }
}

function load(file: string): readonly Case[] {
  return JSON.parse(readFileSync(`${corpus}${file}`, 'utf8')) as Case[]
}

function refusals({
  definition,
  name,
  type = /express/i.test(name) ? 'EXPRESS' : 'STANDARD',
}: Case): readonly string[] {
  return checkWorkflow(definition, { type })
    .filter(finding => finding.rule.startsWith('valid/'))
    .map(finding => `${finding.message} at ${finding.pointer}`)
}

describe.skipIf(absent)('definitions that Step Functions was seen to judge', () => {
  it('accepts every definition that ran', () => {
    const cases = readdirSync(`${corpus}executions`).flatMap(file => load(`executions/${file}`))
    expect(cases.length).toBeGreaterThan(600)
    expect(
      cases
        .filter(each => refusals({ ...each, type: each.type ?? 'STANDARD' }).length > 0)
        .map(each => each.name),
    ).toEqual([])
  })

  it('refuses every definition that CreateStateMachine refused, in the same words', () => {
    for (const each of load('create-errors.json')) {
      const messages = refusals(each).map(message => message.split(' at /')[0] as string)
      expect(
        messages.some(message => each.expected.message.includes(message)),
        each.name,
      ).toBe(true)
    }
  })

  it('answers as ValidateStateMachineDefinition did', () => {
    for (const each of load('validate-definition.json')) {
      const expected = each.expected.diagnostics.map(({ message, location }) => `${message} at ${location}`)
      expect(refusals(each), each.name).toEqual(expected)
    }
  })

  it('agrees with the fixtures of asl-validator and statelint', () => {
    // asl-validator takes no line break after {%, which Step Functions does
    const broken = ['invalid-json-surround-syntax-extra-spaces.json']
    // they judge the language, not the service, which takes only ARNs, a role as Credentials, readers in Distributed Maps, and identifiers as variables
    const stricter =
      /is not an ARN|'RoleArn' is required|\/Credentials\/|belongs to a Map in DISTRIBUTED mode|cannot name a variable/
    const cases = [...load('definitions/asl-validator.json'), ...load('definitions/statelint.json')]
    const differ = cases.filter(each => {
      // the corpus counts some of statelint's "should reject" fixtures as valid
      const rejected =
        /^should reject .* except in/.test(each.title ?? '') && !/^(map|parallel|task)-/.test(each.name)
      const valid = each.valid === true && !rejected && each.name !== 'invalid-function-invocation.json'
      const refused = refusals(each).filter(message => !valid || !stricter.test(message))
      return (refused.length === 0) !== valid
    })
    expect(differ.map(each => each.name)).toEqual(broken)
  })
})

describe.skipIf(absent)('executions that were recorded, checked with the schema of their very input', () => {
  const executions = (status: string) =>
    absent
      ? []
      : readdirSync(`${corpus}executions`)
          .flatMap(file => load(`executions/${file}`))
          .filter(each => each.expected.status === status)
  const flowErrors = ({ definition, input, type = 'STANDARD' }: Case) =>
    checkWorkflow(definition, { type, ...(input != null && { input: schemaOf(input) }) }).filter(
      ({ rule, severity }) => rule.startsWith('flow/') && severity === 'error',
    )

  it('find no path missing where the execution succeeded', () => {
    const wrong = executions('SUCCEEDED').filter(each => flowErrors(each).length > 0)
    // reads a variable of a branch on the way that this execution did not take
    expect(wrong.map(({ name }) => /\[(.*)\]/.exec(name)?.[1])).toEqual([
      'PARALLEL_CATCH_ERROR_VARIABLE_SAMPLING',
    ])
  })

  it('foretell failures for a missing path or variable', () => {
    const foretold = executions('FAILED').filter(each => flowErrors(each).length > 0)
    expect(foretold.length).toBeGreaterThanOrEqual(17)
    expect(
      foretold.filter(({ expected }) => !/^States\.(Runtime|QueryEvaluationError)$/.test(expected.error)),
    ).toEqual([])
  })
})

function schemaOf(value: unknown): Record<string, unknown> {
  if (Array.isArray(value))
    return { type: 'array', ...(value.length > 0 && { items: { anyOf: value.map(schemaOf) } }) }
  if (typeof value !== 'object' || value === null) return { const: value }
  const properties = Object.fromEntries(Object.entries(value).map(([key, field]) => [key, schemaOf(field)]))
  return { type: 'object', properties, required: Object.keys(value), additionalProperties: false }
}

describe.skipIf(absent)('the definitions of aws-samples', () => {
  it('give no error but those that are really in them', () => {
    const errors = load('definitions/aws-samples.json').flatMap(({ name, definition }) =>
      checkWorkflow(definition)
        .filter(finding => finding.severity === 'error')
        .map(finding => `${name.split('/')[0]} ${finding.rule}`),
    )
    expect([...new Set(errors)].sort()).toEqual([
      // a catcher inside a Map over numbers writes a field beside a number
      'app-control-concurrency-with-dynamodb-tf flow/result-path',
      // retriers on "States.TaskFailedId"
      'chain-of-responsibility names/unknown-reserved',
      'chain-of-responsibility-cdk names/unknown-reserved',
      // QueryLanguage stands among the states instead of beside them
      'shared-fallback-state-jsonata valid/field-value',
      'shared-fallback-state-jsonata valid/query-language',
      'shared-fallback-state-jsonata valid/unreachable',
    ])
  })
})
