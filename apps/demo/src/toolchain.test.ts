import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const [wanted] =
  /nodeVersion: (\S+)/.exec(readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8'))?.slice(1) ?? []

function run(command: string, ...args: string[]) {
  return execFileSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
  })
}

/** Elsewhere people bring a Node of their own. */
describe.runIf(process.platform === 'linux')('the Node that scripts run under', { timeout: 60_000 }, () => {
  it("is the workspace's own in tests", () => {
    expect(process.version).toBe(`v${wanted}`)
  })

  it('is the same inside packages', () => {
    expect(run('pnpm', '--filter', '@stepwright/errors', 'exec', 'node', '--version').trim()).toBe(
      `v${wanted}`,
    )
  })

  it('is the same under Turbo', () => {
    const printed = run(
      'pnpm',
      'exec',
      'turbo',
      'run',
      'node-version',
      '--filter=@stepwright/demo',
      '--force',
    )
    expect(printed).toContain(`v${wanted}`)
  })
})

describe('the lockfile', () => {
  it('names no registry', () => {
    expect(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')).not.toMatch(/https?:\/\//)
  })
})
