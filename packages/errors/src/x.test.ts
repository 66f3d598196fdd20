import { expect, it } from 'vitest'
import { x } from './index.ts'

it('runs on node 24', () => {
  expect(process.version).toMatch(/^v24/)
  expect(x).toBe('y')
})
