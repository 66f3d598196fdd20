import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { read, root } from './generated.ts'

const projects = globSync('{apps/*,packages/create-stepwright/templates/*}/src/app.ts', { cwd: root })
  .map(path => path.slice(0, -'/src/app.ts'.length))
  .toSorted()

/** `export const SplitCSV = lambda(` or another of the factories. */
const statement = /^export const (\w+)(?:: .+?)? = (?:lambda|http|eventStream|sqs|eventBridge|schedule)\(/gm

function functionsOf(path: string): readonly string[] {
  return [...read(path).matchAll(statement)].map(([, name = '']) => name)
}

describe.each(projects)('%s', project => {
  const sources = globSync(`${project}/{src,bench}/**/*.ts`, { cwd: root }).filter(
    path => !path.endsWith('.test.ts'),
  )

  it('describes each function in one file, which the index exports', () => {
    const described = sources.flatMap(path => functionsOf(path).map(name => ({ name, path })))
    expect(described.length).toBeGreaterThan(0)
    for (const { name, path } of described) {
      expect(path).toBe(`${project}/src/functions/${basename(path)}`)
      expect(functionsOf(path)).toEqual([name])
    }
    const exported = read(`${project}/src/functions/index.ts`).matchAll(/^export \{ (\w+) \} from/gm)
    expect([...exported].map(([, name]) => name).toSorted()).toEqual(
      described.map(({ name }) => name).toSorted(),
    )
  })

  it('has no second description: no handlers, no composition root, no settings, no marks for the bundler', () => {
    expect(sources.filter(path => /\/(handlers|compose|settings)\.ts$/.test(path))).toEqual([])
    expect(sources.filter(path => read(path).includes('@__PURE__'))).toEqual([])
    expect(read(`${project}/src/app.ts`)).not.toMatch(/\b(module|environment):/)
  })
})
