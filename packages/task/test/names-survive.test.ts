import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseCause } from '@stepwright/errors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleHandler } from './bundle-handler.ts'
import { runInLambda } from './lambda-runtime.ts'

let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stepwright-names-'))
})
afterAll(() => rm(directory, { recursive: true }))

function bundle(fixture: string, keepNames: boolean): Promise<string> {
  const outfile = join(directory, `${fixture}-${keepNames ? 'kept' : 'minified'}.mjs`)
  return bundleHandler(`test/fixtures/${fixture}.ts`, outfile, { keepNames })
}

describe.each([
  ['minified', false],
  ['minified with keepNames', true],
])('a %s bundle under the Lambda runtime client', { timeout: 60_000 }, (_, keepNames) => {
  let file: string
  let names: string[]
  beforeAll(async () => {
    file = await bundle('failing-handlers', keepNames)
    const { outcomes } = await runInLambda(`${file}#bare`, [{}])
    names = (outcomes[0] as { result: string[] }).result
  }, 60_000)

  it('reports every class of the taxonomy by its name', async () => {
    expect(names).toContain('OutOfStock')
    expect(names.length).toBeGreaterThan(25)
    const { outcomes } = await runInLambda(
      `${file}#bare`,
      names.map(name => ({ name })),
    )
    expect(outcomes).toEqual(
      names.map(name => ({
        errorType: name,
        errorMessage: 'it failed',
        trace: expect.arrayContaining([`${name}: it failed`]),
      })),
    )
  })

  it('brings code, details and retryAfterSeconds across through the adapter', async () => {
    const { outcomes, log } = await runInLambda(
      file,
      names.map(name => ({ name })),
    )
    expect(outcomes.map(outcome => parseCause(JSON.stringify(outcome)))).toEqual(
      names.map(name => ({
        name,
        message: 'it failed',
        code: 'CODE',
        details: { row: 7 },
        retryAfterSeconds: 3,
        trace: expect.anything(),
      })),
    )
    const lines = log.split('\n').filter(line => line.startsWith('{"level"'))
    expect(lines).toHaveLength(names.length)
    expect(lines.join()).toContain('"details":{"row":"[redacted]"}')
    expect(lines.join()).not.toContain('"row":7')
  })

  it('gives foreign errors and thrown non-errors a name of the taxonomy', async () => {
    const { outcomes } = await runInLambda(
      file,
      ['string', 'undefined', 'circular', 'sqlState', 'bug'].map(foreign => ({ foreign })),
    )
    expect(outcomes).toMatchObject([
      { errorType: 'UnexpectedError', errorMessage: 'string was thrown' },
      { errorType: 'UnexpectedError', errorMessage: 'undefined was thrown' },
      { errorType: 'UnexpectedError', errorMessage: 'object was thrown' },
      { errorType: 'TemporaryError', errorMessage: expect.stringMatching(/^reported as \w+ 40P01$/) },
      { errorType: 'UnexpectedError', errorMessage: 'reported as TypeError' },
    ])
  })

  it('shows what the runtime makes of them without the adapter', async () => {
    const { outcomes } = await runInLambda(
      `${file}#bare`,
      ['string', 'undefined', 'circular', 'bug'].map(foreign => ({ foreign })),
    )
    expect(outcomes).toMatchObject([
      { errorType: 'string', errorMessage: 'just a text' },
      { errorType: 'undefined' },
      { errorType: 'object' },
      { errorType: 'TypeError' },
    ])
  })

  it('turns bad input, too large a result, no JSON and no time left into names', async () => {
    const { outcomes } = await runInLambda(file, [{ name: 7 }, { result: 'huge' }, { result: 'bigint' }])
    expect(outcomes).toMatchObject([
      { errorType: 'DataValidationError', errorMessage: expect.stringContaining('name: ') },
      { errorType: 'PayloadTooLargeError', errorMessage: expect.stringContaining('300002 bytes') },
      { errorType: 'UnexpectedError', errorMessage: expect.stringContaining('is not JSON') },
    ])
    const late = await runInLambda(file, [{ result: 'slow' }], { remainingMs: 300 })
    expect(late.outcomes).toMatchObject([{ errorType: 'TaskTimeoutError' }])
  })
})

describe('a function that does not start', { timeout: 60_000 }, () => {
  it.each([false, true])('reports the error of its initialisation (keepNames: %s)', async keepNames => {
    const { outcomes } = await runInLambda(await bundle('init-fails', keepNames), [{}])
    expect(outcomes).toMatchObject([
      { errorType: 'DatabaseConnectionError', errorMessage: 'no database at start' },
    ])
  })

  it('reports a missing handler', async () => {
    const { outcomes } = await runInLambda(`${await bundle('failing-handlers', false)}#nowhere`, [{}])
    expect(outcomes).toMatchObject([{ errorType: 'Runtime.HandlerNotFound' }])
  })
})
