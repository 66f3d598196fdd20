import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

describe('the demo', () => {
  it('runs to its end, plain where there is no terminal', { timeout: 180_000 }, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts')], {
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toContain('OutOfStock')
    expect(stdout).toMatch(/import +200000 +[\d.]+ +送信予約済/)
    expect(stdout).toMatch(/restart +200000 +[\d.]+ +送信予約済/)
    expect(stdout).not.toContain('\u001b[')
  })
})
