import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { indentFlow } from './indent-flow.ts'
import { parseYaml } from './parse-yaml.ts'

describe('indentFlow', () => {
  const text = 'a:\n  b: {\n  "c": [\n1, "x {\n] y"\n  ]\n  }\n  d: |\n    { not flow\n  e: it[0]\n'

  it('lets JSON be read that is pasted at its parent’s indent, with its places', () => {
    const source = parseYaml(text)
    expect(source.problems).toEqual([])
    expect(source.value).toEqual({ a: { b: { c: [1, 'x { ] y'] }, d: '{ not flow\n', e: 'it[0]' } })
    expect(source.locate(['a', 'b', 'c', 0])).toMatchObject({ line: 4, column: 1 })
    expect(source.locate(['a', 'e'])).toMatchObject({ line: 10, column: 6 })
  })

  it('knows where everything was', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('{', '}', '[', ']', '\n', ': ', 'a', '"', "'", ' ', '#', '|\n', '- ')),
        parts => {
          const before = parts.join('')
          const { text: after, original } = indentFlow(before)
          for (let at = 0; at < after.length; at += 1) {
            if (after[at] !== ' ') expect(before[original(at)]).toBe(after[at])
          }
        },
      ),
    )
  })
})

describe('aliases', () => {
  it('take no longer than what they stand for', () => {
    const text = `a: &a { x: 1 }\nb: [${Array(20_000).fill('*a').join(', ')}]\n`
    const before = process.threadCpuUsage()
    expect(parseYaml(text).problems).toEqual([])
    expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(3000)
  })
})
