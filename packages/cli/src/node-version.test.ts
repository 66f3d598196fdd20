import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeProblem, oldestNode } from './node-version.ts'

describe('nodeProblem', () => {
  it.each(['22.18.0', '22.19.1', '24.0.0', '26.1.0'])('takes Node %s', version => {
    expect(nodeProblem(version)).toBeUndefined()
  })

  it.each(['18.20.4', '20.20.2', '22.17.9'])('says what to do about Node %s', version => {
    expect(nodeProblem(version)).toContain(`needs Node 22.18 or later, and this is Node ${version}`)
  })

  it('is what the package says', () => {
    const { engines } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
    expect(engines.node).toBe(`>=${oldestNode}`)
  })

  it('is asked before anything is loaded that an older Node cannot read', () => {
    const text = readFileSync(join(import.meta.dirname, 'bin.ts'), 'utf8')
    const imported = [...text.matchAll(/^import .* from '(.*)'$/gm)].map(([, name]) => name)
    expect(imported).toEqual(['./node-version.ts'])
  })
})
