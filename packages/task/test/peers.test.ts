import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleHandler } from './bundle-handler.ts'
import { runInLambda } from './lambda-runtime.ts'

let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stepwright-peers-'))
})
afterAll(() => rm(directory, { recursive: true }))

const powertools = {
  '@aws-lambda-powertools/logger': 'powertools-logger-2',
  '@aws-lambda-powertools/metrics': 'powertools-metrics-2',
}

/** Each end of the ranges that package.json says, with a schema of a library that is not zod. */
describe.each<[string, Record<string, string>]>([
  ['the newest', {}],
  ['middy 6.0.0', { '@middy/core': 'middy-6' }],
  ['Powertools 2.0.0', powertools],
  ['middy 6.0.0 and Powertools 2.0.0', { '@middy/core': 'middy-6', ...powertools }],
])('a handler with %s', { timeout: 60_000 }, (name, alias) => {
  it('answers, fails, logs and measures as with any other', async () => {
    const outfile = join(directory, `${name.replaceAll(/\W/g, '-')}.mjs`)
    const file = await bundleHandler('test/fixtures/any-peers.ts', outfile, { alias })
    const { outcomes, log } = await runInLambda(file, [{ count: 1 }, { count: 4 }, { count: 'x' }])
    expect(outcomes).toMatchObject([
      { result: { left: 2, order: ['before'] } },
      { errorType: 'OutOfStock', errorMessage: expect.stringContaining('none left') },
      { errorType: 'DataValidationError', errorMessage: expect.stringContaining('count: ') },
    ])
    const lines = log.split('\n').flatMap(line => (line.startsWith('{') ? [JSON.parse(line)] : []))
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ service: 'reserve-stock', Reserved: 1, TaskSucceeded: 1 }),
        expect.objectContaining({ service: 'reserve-stock', TaskFailed: 1, error: 'OutOfStock' }),
        expect.objectContaining({
          level: 'WARN',
          message: 'reserve-stock failed',
          service: 'reserve-stock',
          error: expect.objectContaining({ name: 'OutOfStock', details: { email: '[redacted]' } }),
        }),
      ]),
    )
  })
})
