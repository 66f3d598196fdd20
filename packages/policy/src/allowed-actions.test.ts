import { defineApp } from '@stepwright/app'
import { bindFrom, bucket, database, reference, secret } from '@stepwright/app/bindings'
import { lambda } from '@stepwright/app/functions'
import { defineTask } from '@stepwright/task'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { allowedActions } from './index.ts'

const files = bucket('files')
const keys = secret('keys', { description: 'signs', localValue: 'x' })
const work = defineTask({
  name: 'work',
  input: z.object({}),
  output: z.object({}),
  errors: [],
  needs: {
    ports: { port: 'anything' },
    permissions: [{ actions: ['s3:GetObjectVersion'], on: 'the file' }],
  },
  run: (_input, _ports: { port: unknown }) => ({}),
})
const Reads = lambda(work, { port: reference(files, 'read in/*') })
const Signs = lambda(work, {
  port: bindFrom({ key: reference(keys), url: reference(database()) }, opened => opened),
})
const app = defineApp({
  name: 'shop',
  root: new URL('.', import.meta.url),
  functions: { Reads, Signs },
  resources: { files, keys, db: database() },
  migratedBy: Signs,
})

describe('allowedActions', () => {
  it('has what the rights of the bindings give, also what only a task that needs it gets', () => {
    expect(allowedActions(app, 'Reads')).toContain('s3:GetObjectVersion')
    expect(allowedActions(app, 'Reads')).not.toContain('s3:PutObject')
  })

  it('counts a secret and a database, which are put in by the deployment', () => {
    expect(allowedActions(app, 'Signs')).toContain('secretsmanager:GetSecretValue')
    expect(allowedActions(app, 'Signs')).toContain('rds-db:connect')
    expect(allowedActions(app, 'Reads')).not.toContain('rds-db:connect')
  })
})
