import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from './command.ts'

const workspace = join(import.meta.dirname, '../../..')

describe('pnpm new', { timeout: 300_000 }, () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'stepwright-new-'))
  })
  afterAll(() => rm(directory, { recursive: true }))

  it('makes a project that passes its tests, with the packages of the clone alone', async () => {
    const project = join(directory, 'shop')
    await runCommand('pnpm', ['new', project], { cwd: workspace })
    const { dependencies, overrides } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'))
    expect(dependencies['@stepwright/task']).toMatch(/^file:packages\/stepwright-task-.*\.tgz$/)
    expect(overrides['@stepwright/errors']).toBe('$@stepwright/errors')
    for (const version of Object.values<string>(dependencies))
      expect(version).not.toMatch(/catalog:|workspace:/)
    await runCommand('npm', ['install', '--no-audit', '--no-fund'], { cwd: project })
    expect(
      (
        await runCommand('npm', ['test'], {
          cwd: project,
          env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
        })
      ).stdout,
    ).toMatch(/Tests +7 passed/)
  })

  it('refuses a folder that is not empty, and a template that does not exist', async () => {
    await expect(
      runCommand('pnpm', ['new', join(directory, 'shop')], { cwd: workspace }),
    ).rejects.toMatchObject({
      stderr: expect.stringContaining('is not empty'),
    })
    const unknown = runCommand('pnpm', ['new', join(directory, 'x'), '--template', 'none'], {
      cwd: workspace,
    })
    await expect(unknown).rejects.toMatchObject({ stdout: expect.stringContaining('minimal, csv-import') })
  })
})
