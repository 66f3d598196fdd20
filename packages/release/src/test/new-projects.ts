import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../command.ts'
import { startCommand } from './running-command.ts'

export interface Place {
  /** Where projects are made. */
  readonly directory: string
  /** That has our packages, and no others. */
  readonly registryUrl: string
}

const matrix = [
  ['minimal', 'cdk', /gateway +(http:\S+)/],
  ['csv-import', 'sam', /s3:\/\/(\S+)/],
  ['long-jobs', 'cdk', /gateway +(http:\S+)/],
] as const

/** What a newcomer does, with every template: made by npm, installed, tested, checked, run, synthesised. */
export function describeNewProjects(place: () => Place): void {
  describe.each(matrix)('npm create stepwright with %s and %s', (template, deployment, isReady) => {
    const name = `new-${template}`
    const cwd = () => join(place().directory, name)
    const npm = (...args: string[]) => runCommand('npm', args, { cwd: cwd(), env: environment() })

    it('makes a project, which npm installs', async () => {
      const { directory, registryUrl } = place()
      const args = ['create', 'stepwright', name, '--', '--template', template, '--deploy', deployment]
      await runCommand('npm', [...args.toSpliced(2, 0, '--yes', `--registry=${registryUrl}`), '--yes'], {
        cwd: directory,
        env: { ...environment(), npm_config_cache: join(directory, 'npm-cache') },
      })
      await writeFile(join(cwd(), '.npmrc'), `@stepwright:registry=${registryUrl}\n`)
      await npm(
        'install',
        '--prefer-offline',
        '--no-audit',
        '--no-fund',
        '--no-omit-lockfile-registry-resolved',
      )
      const lockfile = await readFile(join(cwd(), 'package-lock.json'), 'utf8')
      expect(lockfile).toContain(`${registryUrl}@stepwright/cli/`)
    })

    it('passes its tests, its check and its types, and is synthesised', async () => {
      expect((await npm('test')).stdout).toMatch(/Test Files .*passed/)
      expect((await npm('run', 'check')).stdout).toContain('nothing found')
      await npm('run', 'typecheck')
      await npm('run', 'synth')
    })

    it('runs until Ctrl-C', async () => {
      await using dev = startCommand('npm', ['run', 'dev'], { cwd: cwd(), env: environment() })
      await dev.until(isReady)
      await dev.until(/Ctrl-C ends it/)
      expect(dev.printed()).toMatch(/console +http:\/\/127\.0\.0\.1:/)
      await dev.interrupt()
      expect(dev.printed()).toContain('stopping')
    })
  })
}

/** As in a shell of a user; the Node that runs this comes first. */
function environment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, VITEST: __, npm_config_registry: ___, ...env } = process.env
  const path = [join(process.execPath, '..'), env['PATH']].join(':')
  const noProxy = [env['NO_PROXY'], '127.0.0.1'].filter(Boolean).join()
  return { ...env, PATH: path, NO_PROXY: noProxy, NO_COLOR: '1' }
}
