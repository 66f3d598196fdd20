import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runMain } from './test/run-main.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stepwright graph '))
  writeFileSync(
    join(folder, 'a.asl.yaml'),
    'StartAt: First\nStates:\n  First:\n    Type: Pass\n    End: true\n',
  )
  writeFileSync(join(folder, 'b.asl.json'), '{"States":')
  writeFileSync(join(folder, 'c.json'), '[]')
})
afterAll(() => rmSync(folder, { recursive: true }))

function run(...args: string[]) {
  return runMain(folder, ['graph', ...args])
}

describe('stepwright graph', () => {
  it('prints a picture', async () => {
    const { code, out } = await run('a.asl.yaml')
    expect(code).toBe(0)
    expect(out).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg".*>First<.*<\/svg>\n$/s)
  })

  it('prints a flowchart', async () => {
    const { code, out } = await run('a.asl.yaml', '--mermaid')
    expect(code).toBe(0)
    expect(out).toMatch(/^flowchart TD\n.*"First"/s)
  })

  it.each([
    [[], 'Name one definition'],
    [['none.json'], 'The definition cannot be read'],
    [['b.asl.json'], 'b.asl.json cannot be read'],
    [['c.json'], 'c.json must be a state machine'],
    [['a.asl.yaml', '--svg', '--mermaid'], 'Choose one of --svg and --mermaid'],
  ])('cannot draw %j, says why and exits with 2', async (args, problem) => {
    const { code, error } = await run(...args)
    expect({ code, error }).toEqual({ code: 2, error: expect.stringContaining(problem) })
  })
})
