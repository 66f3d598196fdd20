import { describe, expect, it } from 'vitest'
import { checkWorkflow, type Finding, fixWorkflow } from './index.ts'
import { parseDefinition } from './source/parse-definition.ts'

const input = {
  type: 'object',
  properties: { id: { type: 'string' }, again: { type: 'boolean' } },
  required: ['id'],
  additionalProperties: false,
}

/** The findings of a definition, which must not take longer than its length allows. */
function check(definition: object, maxMs = 2000): readonly Finding[] {
  const before = process.threadCpuUsage()
  const findings = checkWorkflow({ TimeoutSeconds: 9, ...definition }, { input })
  expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(maxMs)
  return findings
}

function named<T>(count: number, name: string, make: (index: number) => T): Record<string, T> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, make(index)]))
}

function chain(count: number, fields: (index: number) => object): object {
  const end = (index: number) => (index + 1 < count ? { Next: `S${index + 1}` } : { End: true })
  return { StartAt: 'S0', States: named(count, 'S', index => ({ ...fields(index), ...end(index) })) }
}

describe('checkWorkflow, whatever it is given', () => {
  it('follows 10,000 states in a chain', () => {
    expect(check(chain(10_000, () => ({ Type: 'Pass', OutputPath: '$' })))).toEqual([])
  })

  it('follows data that every state adds to', () => {
    expect(check(chain(5000, index => ({ Type: 'Pass', Result: 1, ResultPath: `$.r${index}` })))).toEqual([])
    expect(check(chain(5000, index => ({ Type: 'Pass', Assign: { [`v${index}`]: 1 } })))).toEqual([])
  })

  it('follows loops inside of loops', () => {
    let machine: object = { StartAt: 'Last', States: { Last: { Type: 'Pass', End: true } } }
    for (let level = 0; level < 30; level += 1) {
      const [work, again, done] = [`Work ${level}`, `Again ${level}`, `Done ${level}`]
      const States = {
        [work]: { Type: 'Parallel', Branches: [machine], ResultPath: `$.level${level}`, Next: again },
        [again]: {
          Type: 'Choice',
          Choices: [{ Variable: '$.again', IsPresent: true, Next: work }],
          Default: done,
        },
        [done]: { Type: 'Succeed' },
      }
      machine = { StartAt: work, States }
    }
    expect(check(machine).filter(({ severity }) => severity === 'error')).toEqual([])
  })

  it('says of many wrong names that they are wrong', () => {
    const states = named(4000, 'the state number ', index => ({
      Type: 'Pass',
      Next: `teh state numbr ${index}`,
    }))
    const wrong = check({ StartAt: 'the state number 0', States: states })
    expect(wrong.filter(({ message }) => message.startsWith('There is no state'))).toHaveLength(4000)
    const long = 'a'.repeat(100_000)
    expect(check({ StartAt: `${long}b`, States: { [long]: { Type: 'Pass', End: true } } })).toHaveLength(2)
    const States = {
      A: { Type: 'Pass', Result: named(10_000, 'field', () => 1), Next: 'B' },
      B: { Type: 'Pass', Parameters: named(3000, 'a.$', index => `$.feild${index}`), End: true },
    }
    expect(check({ StartAt: 'A', States }).length).toBeGreaterThan(0)
  })

  it('takes 5,000 branches', () => {
    const Branches = Array.from({ length: 5000 }, (_, index) => ({
      StartAt: `B${index}`,
      States: { [`B${index}`]: { Type: 'Pass', Parameters: { [`k${index}`]: 1 }, End: true } },
    }))
    const After = { Type: 'Pass', Parameters: { 'k.$': '$[4999].k4999' }, End: true }
    const States = { All: { Type: 'Parallel', Branches, Next: 'After' }, After }
    expect(check({ StartAt: 'All', States })).toEqual([])
  })

  it('mends what is wrong in thousands of places', () => {
    const Resource = 'arn:aws:lambda:eu-west-1:123456789012:function:work'
    const text = JSON.stringify(
      chain(4000, () => ({ Type: 'Task', Resource })),
      null,
      2,
    )
    const before = process.threadCpuUsage()
    const fixed = fixWorkflow(text, { tasks: [{ name: 'work', errors: [] }] })
    expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(3000)
    const { States } = JSON.parse(fixed) as { States: Record<string, { Retry?: unknown[] }> }
    expect(Object.values(States).every(({ Retry }) => Retry?.length === 1)).toBe(true)
  })

  it.each<[string, (depth: number) => string]>([
    ['conditions', depth => `${'$states.input.id = "a" ? 1 : '.repeat(depth)}0`],
    ['calls', depth => `${'$not('.repeat(depth)}true${')'.repeat(depth)}`],
    ['texts', depth => Array(depth).fill('$states.input.id').join(' & ')],
    ['functions', depth => `${'$map([1], function($x) { '.repeat(depth)}$x${' })'.repeat(depth)}`],
    ['applications', depth => `1${' ~> $string'.repeat(depth)}`],
  ])('takes JSONata with %s to any depth', (_, expression) => {
    for (const depth of [400, 1200, 2000]) {
      const A = { Type: 'Pass', Output: `{% ${expression(depth)} %}`, End: true }
      const rules = check({ QueryLanguage: 'JSONata', StartAt: 'A', States: { A } }).map(({ rule }) => rule)
      expect(rules.filter(rule => rule !== 'valid/jsonata')).toEqual([])
    }
  })

  it.each<[string, string]>([
    ['brackets', '['.repeat(2_000_000)],
    ['braces', '{a: '.repeat(25_000)],
    ['dashes', '- '.repeat(50_000)],
    ['question marks', '? '.repeat(50_000)],
    ['keys', 'a: '.repeat(30_000)],
    ['lines', Array.from({ length: 1000 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')],
  ])('reads no YAML that is nested without end: %s', (_what, text) => {
    expect(parseDefinition(text, { file: 'a.asl.yaml' })).toMatchObject({
      broken: true,
      problems: [{ message: 'YAML could not be read: it is nested more than 200 levels deep.' }],
    })
  })

  it('reads YAML that is wrong in tens of thousands of places, and says so of the first', () => {
    const { problems } = parseDefinition(`a: ${'!a '.repeat(30_000)}`, { file: 'a.asl.yaml' })
    expect(problems).toHaveLength(100)
  })

  it.each(['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty'])(
    'takes the name %s for any other',
    name => {
      const text = JSON.stringify({
        StartAt: 'A',
        States: {
          NAME: { Type: 'Pass', NAME: 1, Assign: { NAME: 1 }, Next: 'B' },
          A: {
            Type: 'Task',
            Resource: 'arn:aws:states:::aws-sdk:NAME:NAME',
            Retry: [{ ErrorEquals: ['NAME.Busy'], NAME: 1 }],
            Catch: [{ ErrorEquals: ['NAME'], ResultPath: '$.NAME', Next: 'NAME' }],
            Next: 'B',
          },
          B: {
            Type: 'Task',
            Resource: 'arn:aws:states:::NAME:NAME',
            Catch: [{ ErrorEquals: ['NAME.X'], Next: 'C' }],
            End: true,
          },
          C: { Type: 'Fail' },
        },
      }).replaceAll('NAME', name)
      const unknown = checkWorkflow(text).filter(({ severity }) => severity === 'error')
      expect(unknown.map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual([
        `valid/unknown-field /States/${name}/${name}`,
        // a variable's name begins with a letter
        ...(name.startsWith('_') ? [`valid/field-value /States/${name}/Assign/${name}`] : []),
        `valid/unknown-field /States/A/Retry/0/${name}`,
        'valid/field-value /States/B/Resource',
      ])
    },
  )
})
