import { join } from 'node:path'
import { main } from '@stepwright/cli'
import { expect, it } from 'vitest'

it('has a state machine in which stepwright check finds nothing', { timeout: 60_000 }, async () => {
  let printed = ''
  const print = (text: string) => {
    printed += text
  }
  const cwd = join(import.meta.dirname, '..')
  const io = { cwd, colour: false, out: print, error: print, interrupted: async () => {} }
  expect(await main(['check', '--fail-on', 'info'], io)).toBe(0)
  expect(printed).toContain('1 state machine checked, nothing found')
})
