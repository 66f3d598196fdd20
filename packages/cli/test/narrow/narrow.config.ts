import { type App, defineApp } from '@stepwright/app'
import { bucket, reference, workflow } from '@stepwright/app/bindings'
import { http, lambda } from '@stepwright/app/functions'
import { defineTask } from '@stepwright/task'
import * as z from 'zod'

const files = bucket('files')
const saving = workflow('save')
const save = defineTask({
  name: 'save',
  input: z.any(),
  output: z.any(),
  errors: [],
  needs: {
    ports: { bucketName: 'where it writes' },
    permissions: [{ actions: ['s3:PutObject'], on: 'the reports' }],
  },
  run: (_input, _ports: { bucketName: string }) => null,
})
const Save = lambda(save, { bucketName: reference(files, 'read') })
const Show = http(save, { bucketName: reference(files, 'write') })

/** Wiring that only a check can find: a right that is missing, and a state that calls a route's function. */
const app: App = defineApp({
  name: 'narrow',
  root: new URL('.', import.meta.url),
  resources: { files },
  functions: { Save, Show },
  workflows: [[saving, { definition: 'save.asl.json' }]],
  routes: { 'GET /report': Show },
  triggers: { Nightly: { schedule: 'rate(1 day)', starts: saving } },
})
export default app
