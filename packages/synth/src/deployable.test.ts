import type { App } from '@stepwright/app'
import { defineTask } from '@stepwright/task'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import {
  concurrencyProblem,
  type DeploymentOptions,
  planDeployment,
  reservedConcurrency,
  toCloudFormation,
} from './index.ts'

const task = defineTask({ name: 'work', input: z.any(), output: z.any(), errors: [], run: () => null })
const work = { module: 'src/work.ts', kind: 'call', export: 'Work', task } as const
const base: App = { name: 'shop', root: new URL('.', import.meta.url), functions: { Work: work } }
const withDatabase: App = { ...base, database: { migratedBy: 'Work' } }
const busy: App = {
  ...base,
  functions: { Work: { ...work, concurrency: 600 }, More: { ...work, concurrency: 400 } },
}
/** Its literals fit, and what the bucket is called does not. */
const almostFull: App = {
  ...base,
  resources: { buckets: { files: {} } },
  functions: {
    Work: { ...work, environment: { LONG: 'x'.repeat(4000), FILES: { bucket: 'files', may: ['read'] } } },
  },
}

describe('planDeployment', () => {
  it.each<[string, App, DeploymentOptions, string]>([
    ['days that CloudWatch does not take', base, { logRetentionDays: 10 }, 'not 10; take 14'],
    ['too many days', base, { logRetentionDays: 4000 }, 'not 4000; take 3653'],
    ['a stage that ends in "-"', withDatabase, { stage: 'dev-' }, 'the database cannot be called shop-dev-'],
    ['a long stage', withDatabase, { stage: 'x'.repeat(50) }, 'it must have 1 to 54 characters'],
    ['4 KB with references', almostFull, { stage: 'dev' }, 'function Work: its variables have'],
  ])('rejects what AWS rejects: %s', (_what, app, options, message) => {
    expect(() => planDeployment(app, options)).toThrow(TypeError)
    expect(() => planDeployment(app, options)).toThrow(message)
  })

  it.each<[string, App, DeploymentOptions]>([
    ['days that CloudWatch takes', base, { logRetentionDays: 365 }],
    ['any stage without a database', base, { stage: 'dev-' }],
    ['any stage with a database that exists', withDatabase, { stage: 'dev-', database: 'existing' }],
  ])('accepts %s', (_what, app, options) => {
    expect(() => planDeployment(app, options)).not.toThrow()
  })
})

describe('concurrencyProblem', () => {
  it('finds more than the account can give, of which Lambda keeps 100', () => {
    expect([reservedConcurrency(busy), reservedConcurrency(base)]).toEqual([1000, 0])
    expect([concurrencyProblem(busy, 1100), concurrencyProblem(base, 10)]).toEqual([undefined, undefined])
    expect(concurrencyProblem(busy, 1099)).toContain(
      'reserve 1000 concurrent executions, but an account with 1099 can give 999',
    )
    expect(concurrencyProblem(busy, 10)).toContain('an account with 10 can give 0')
  })
})

describe('toCloudFormation', () => {
  it('deploys a literal placeholder as it is, beside references that CloudFormation resolves', () => {
    const name = `\${name}`
    const app: App = {
      ...base,
      resources: { buckets: { files: {} } },
      functions: {
        Work: {
          ...work,
          environment: {
            GREETING: `Dear ${name}, …`,
            WHOLE: name,
            FILES: { bucket: 'files', may: ['read'] },
          },
        },
      },
      triggers: { Uploaded: { objectCreated: { bucket: 'files', prefix: `${name}/` }, calls: 'Work' } },
    }
    const { WorkFunction, UploadedRule } = toCloudFormation(planDeployment(app), () => ({})).Resources
    expect(WorkFunction?.Properties['Environment']).toMatchObject({
      Variables: {
        GREETING: `Dear ${name}, …`,
        WHOLE: name,
        FILES: { 'Fn::Sub': `shop-files-\${AWS::AccountId}-\${AWS::Region}` },
      },
    })
    expect(UploadedRule?.Properties['EventPattern']).toMatchObject({
      detail: { object: { key: [{ prefix: `${name}/` }] } },
    })
  })
})
