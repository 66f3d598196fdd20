import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runMain } from './test/run-main.ts'

const folder = join(import.meta.dirname, '../test/doubles')
let bin = ''
beforeAll(() => {
  bin = mkdtempSync(join(tmpdir(), 'stepwright bin '))
  const script = `#!/bin/sh\nexec "${process.execPath}" "${join(import.meta.dirname, 'bin.ts')}" "$@"\n`
  writeFileSync(join(bin, 'stepwright'), script)
  chmodSync(join(bin, 'stepwright'), 0o755)
})
afterAll(() => rmSync(bin, { recursive: true }))

async function complete(...words: string[]): Promise<readonly string[]> {
  const { out } = await runMain(folder, ['completions', '--words', '--', ...words])
  return out
    .split('\n')
    .filter(Boolean)
    .map(line => line.split('\t')[0] ?? '')
}

describe('stepwright completions', () => {
  it.each([
    [[''], ['init', 'check', 'run', 'dev', 'completions']],
    [
      ['check', '--f'],
      ['--format', '--fix', '--fail-on'],
    ],
    [
      ['check', '--format', ''],
      ['text', 'json', 'sarif', 'github'],
    ],
    [
      ['check', '--fail-on', ''],
      ['error', 'warning', 'info'],
    ],
    [['check', '--explain', ''], ['kinds/business-retried']],
    [
      ['synth', '--target', ''],
      ['cloudformation', 'sam', 'terraform'],
    ],
    [
      ['synth', '--database', ''],
      ['aurora', 'existing'],
    ],
    [
      ['test-state', 'x', 'y', '--level', ''],
      ['INFO', 'DEBUG', 'TRACE'],
    ],
    [
      ['run', '--config', 'doubles.config.ts', ''],
      ['doubles', 'refused'],
    ],
    [
      ['policy', '--config', 'doubles.config.ts', '--for', ''],
      ['Count', 'doubles'],
    ],
    [
      ['test-state', 'doubles.asl.json', ''],
      ['Count', 'Double'],
    ],
    [
      ['completions', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['graph', ''], [':files']],
    [['run', 'doubles', '--input', ''], [':files']],
    [['replay', 'history.json', ''], [':files']],
    [['check', ''], [':files']],
  ])('of %j offers %j', async (words, expected) => {
    expect(await complete(...words)).toEqual(expect.arrayContaining(expected))
  })

  it('offers nothing where nothing is known, and says nothing', async () => {
    expect(await complete('nonsense', '')).toEqual([])
    expect(await complete('run', '--config', 'missing.ts', '')).toEqual([])
    expect(await complete('test-state', 'missing.asl.json', '')).toEqual([])
  })

  it.each([
    [['completions'], 'Name a shell.'],
    [['completions', 'fihs'], 'The shell is one of bash, zsh, fish, not "fihs". Did you mean "fish"?'],
  ])('cannot run %j, and says why', async (args, problem) => {
    const { code, error } = await runMain(folder, args)
    expect(code).toBe(2)
    expect(error).toContain(problem)
  })

  it('completes in bash', () => {
    const script = `
      source <(stepwright completions bash)
      try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _stepwright; printf '%s\\n' "\${COMPREPLY[@]}"; }
      try stepwright che
      try stepwright run --config doubles.config.ts ref
      try stepwright graph handl
    `
    const { stdout, stderr } = spawnSync('bash', ['-c', script], {
      cwd: folder,
      env: { ...process.env, PATH: `${bin}:${process.env['PATH']}` },
      encoding: 'utf8',
    })
    expect({ stdout, stderr }).toEqual({ stdout: 'check\nrefused\nhandlers.ts\n', stderr: '' })
  })
})
