import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const program = `
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  const { startStepFunctions } = await import(${JSON.stringify(new URL('./index.ts', import.meta.url).href)})
  const service = await startStepFunctions()
  console.log(JSON.stringify(loaded))
  await service.stop()
`

it('starts without what checks definitions, which is half of all it consists of', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  const loaded = JSON.parse(stdout) as readonly string[]
  expect(loaded.some(url => url.endsWith('/asl-engine/src/index.ts'))).toBe(true)
  expect(loaded.filter(url => /\/asl\/src\/(index|check-workflow)\.ts$|\/yaml\/|\/zod\//.test(url))).toEqual(
    [],
  )
})
