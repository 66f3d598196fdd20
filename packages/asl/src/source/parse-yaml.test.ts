import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { parseYaml } from './parse-yaml.ts'

describe('parseYaml', () => {
  it('reads what the same document is in JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), value => {
        const source = parseYaml(stringify(value))
        expect(source.problems).toEqual([])
        expect(JSON.stringify(source.value)).toEqual(JSON.stringify(value))
      }),
    )
  })

  it.each([
    ['A:\n  B: "first\nsecond"\n  C: 1\n', { A: { B: 'first second', C: 1 } }],
    ["A:\n  B: 'first\n\n second'\n", { A: { B: 'first\nsecond' } }],
    ['A:\n  - B: "first\nsecond"\n    C: 1\n', { A: [{ B: 'first second', C: 1 }] }],
    ['A:\n  B: "{% $a\n& 1 %}"\n  C: "d"\n', { A: { B: '{% $a & 1 %}', C: 'd' } }],
    ['A:\n  B: "first\n\tsecond"\n', { A: { B: 'first second' } }],
  ])('reads quoted texts whose lines are not indented, as PyYAML does: %j', (text, expected) => {
    const source = parseYaml(text)
    expect(source.problems).toEqual([])
    expect(source.value).toEqual(expected)
  })

  it('knows where a value stands behind such a text', () => {
    const text = 'A:\n  B: "first\nsecond"\n  C: here\n'
    const { start, end } = parseYaml(text).locate(['A', 'C'])
    expect(text.slice(start, end)).toBe('here')
  })

  it('knows where values and keys stand', () => {
    const source = parseYaml('StartAt: A\nStates:\n  A:\n    Type: Pass\n    End: true\n')
    expect(source.locate(['States', 'A', 'Type'])).toMatchObject({ line: 4, column: 11 })
    expect(source.locate(['States', 'A'], 'key')).toMatchObject({ line: 3, column: 3 })
  })

  it('reads CloudFormation tags as functions', () => {
    const source = parseYaml('Role: !GetAtt A.Arn\nText: !Sub "B-x"\nName: !Ref C\n')
    expect(source.value).toEqual({
      Role: { 'Fn::GetAtt': 'A.Arn' },
      Text: { 'Fn::Sub': 'B-x' },
      Name: { Ref: 'C' },
    })
  })

  it('follows aliases and merges', () => {
    const source = parseYaml('base: &base {a: 1, b: 2}\nmore:\n  <<: *base\n  b: 3\nagain: *base\n')
    expect(source.value).toEqual({ base: { a: 1, b: 2 }, more: { a: 1, b: 3 }, again: { a: 1, b: 2 } })
    expect(source.problems).toEqual([])
  })

  it('merges several maps, the first before the others, and none over what the map itself says', () => {
    const bases = 'x: &x {a: 1, b: 1, __proto__: 1}\ny: &y {b: 2, c: 2}\n'
    const { value, problems, locate } = parseYaml(`${bases}z:\n  a: 3\n  <<: [*x, *y]\n  c: 3\n`)
    expect((value as { z: unknown }).z).toEqual({ a: 3, b: 1, ['__proto__']: 1, c: 3 })
    expect(problems).toEqual([])
    expect(locate(['z', 'a'])).toMatchObject({ line: 4 })
    expect(locate(['z', 'b'])).toMatchObject({ line: 1 })
    expect(locate(['z', 'c'])).toMatchObject({ line: 6 })
  })

  it.each([
    ['"<<": {a: 1}', { '<<': { a: 1 } }],
    ["<<: ''", { '<<': '' }],
    ['<<:', { '<<': null }],
    ['<<: [1, {a: 1}]', { '<<': [1, { a: 1 }] }],
    ['<<: []', { '<<': [] }],
    ['<<: {}', {}],
  ])('merges only maps, by a key without quotes: %s', (text, value) => {
    expect(parseYaml(text)).toMatchObject({ value, problems: [] })
  })

  it.each([
    ['a document that contains itself', 'a: &a [*a]\n', 'contains itself'],
    ['an alias without an anchor', 'a: *nowhere\n', ''],
    ['a truncated flow', '{a: [1, 2', ''],
    ['a key given twice', 'a: 1\na: 2\n', 'given twice'],
    ['an infinite number', 'a: .inf\n', 'not a JSON value'],
  ])('reports %s', (_name, text, message) => {
    const source = parseYaml(text)
    expect(source.problems.length).toBeGreaterThan(0)
    expect(source.problems[0]?.message).toContain(message)
  })

  it('survives 10 MB and deep nesting', () => {
    expect(parseYaml('a: 1\n'.repeat(2_000_000)).problems).toHaveLength(1)
    expect(parseYaml('['.repeat(20_000)).broken).toBe(true)
  }, 60_000)

  it('does not blow up on aliases of aliases', () => {
    const levels = Array.from({ length: 12 }, (_, level) =>
      level === 0
        ? 'l0: &l0 [x, x, x, x, x, x, x, x]'
        : `l${level}: &l${level} [${Array(8)
            .fill(`*l${level - 1}`)
            .join(', ')}]`,
    )
    expect(parseYaml(levels.join('\n')).problems.map(problem => problem.message)).toContain(
      'Aliases make the document too large.',
    )
  }, 60_000)
})
