import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runMain } from './test/run-main.ts'

const definition = {
  StartAt: 'Reserve stock',
  States: {
    'Reserve stock': {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Parameters: { FunctionName: 'reserve', Payload: { 'sku.$': '$.sku' } },
      ResultPath: '$.stock',
      Next: 'Pack',
    },
    Pack: { Type: 'Task', Resource: 'arn:aws:lambda:us-east-1:123456789012:function:pack', End: true },
  },
}

const config = `
export default {
  workflows: [{
    definition: 'order.asl.json',
    input: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] },
    tasks: {
      reserve: { name: 'reserve', errors: [], output: { type: 'object', properties: { left: { type: 'number' } }, required: ['left'] } },
    },
  }],
}
`

const use = `
import { runWorkflow } from '@stepwright/asl-engine/testing'
import type { StateInputs, TaskInputs, Tasks } from './order.asl.d.ts'

const tasks = {
  'Reserve stock': ({ sku }) => ({ left: sku.length }),
  Pack: ({ stock }) => stock.Payload.left,
} satisfies Tasks
export const run = runWorkflow({ StartAt: 'x', States: {} }, { tasks })
export const given: StateInputs['Reserve stock'] = { sku: 'mug' }
// @ts-expect-error a payload without its sku
export const wrong: TaskInputs['Reserve stock'] = { skew: 'mug' }
`

let folder = ''
beforeAll(() => {
  // inside this package, where what it imports is installed
  const cache = join(import.meta.dirname, '../.cache')
  mkdirSync(cache, { recursive: true })
  folder = mkdtempSync(join(cache, 'types '))
  writeFileSync(join(folder, 'order.asl.json'), JSON.stringify(definition, null, 2))
  writeFileSync(join(folder, 'stepwright.config.ts'), config)
  writeFileSync(join(folder, 'use.ts'), use)
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../../../tsconfig.base.json',
      compilerOptions: {
        noEmit: true,
        isolatedDeclarations: false,
        declaration: false,
        composite: false,
        rootDir: '../../../..',
      },
      files: ['use.ts'],
    }),
  )
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('stepwright types', () => {
  it('says that what was never written is not up to date', async () => {
    expect(await runMain(folder, ['types', '--check'])).toMatchObject({
      code: 1,
      out: 'order.asl.d.ts is not up to date: run stepwright types\n',
    })
  })

  it('writes types that hold handlers and tests to the workflow', { timeout: 60_000 }, async () => {
    expect(await runMain(folder, ['types'])).toMatchObject({ code: 0, out: 'wrote order.asl.d.ts\n' })
    const written = readFileSync(join(folder, 'order.asl.d.ts'), 'utf8')
    expect(written).toContain('  readonly "Reserve stock": {\n    readonly sku: string\n  }\n')
    const compiler = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })
    expect(stdout).toBe('')
    expect(await runMain(folder, ['types', '--check'])).toMatchObject({ code: 0, out: '' })
  })

  it('overwrites nothing that it has not written', async () => {
    writeFileSync(join(folder, 'other.asl.json'), JSON.stringify(definition))
    writeFileSync(join(folder, 'other.asl.d.ts'), 'export {}\n')
    const { code, error } = await runMain(folder, ['types', 'other.asl.json'])
    expect({ code, error }).toEqual({
      code: 2,
      error: expect.stringContaining('other.asl.d.ts was not written by stepwright types'),
    })
  })
})
