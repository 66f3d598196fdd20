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
    expect(stdout).toContain('→ Did you mean "DatabaseConnectionError"?')
    expect(stdout).toMatch(/it was away for [\d.]+ s; \d+ chunks were tried again/)
    expect(stdout).toContain('送信予約済 is scheduled')
    expect(stdout).toMatch(/restart +200000 +[\d.]+ +送信予約済/)
    expect(stdout).toContain('8 parts, each kept as it came')
    expect(stdout).toContain('once it is mended: 3 days, 9 rows')
    expect(stdout).not.toContain('\u001b[')
  })
})
