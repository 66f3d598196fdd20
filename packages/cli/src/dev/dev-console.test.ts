import { join } from 'node:path'
import { expect, it } from 'vitest'
import { appOf, loadConfig } from '../config.ts'
import { createWorkflowCheck } from './dev-console.ts'

it('says of each workflow what the checker finds at its states', async () => {
  const config = await loadConfig(join(import.meta.dirname, '../../test/doubles/doubles.config.ts'))
  const check = createWorkflowCheck(config, appOf(config))
  const found = check('doubles').map(({ rule, pointer }) => `${rule} ${pointer}`)
  expect(found).toContain('routes/uncaught /States/Double/ItemProcessor/States/One')
  expect(check('nothing')).toEqual([])
})
