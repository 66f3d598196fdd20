import { defineApp } from '@stepwright/app'
import { bucket, reference, workflow } from '@stepwright/app/bindings'
import { http, lambda } from '@stepwright/app/functions'
import { defineTask } from '@stepwright/task'
import * as z from 'zod'
import { writeChunk as spare, validate as split } from './src/tasks.ts'

/** The parts of declarations that the pages of the rules about apps show. */
const frame = { name: 'shop', root: new URL('.', import.meta.url) } as const

export const timeoutsDoNotNest = [
  () => {
    const Split = lambda(split, {}, { timeoutSeconds: 300 }) // its state has a TimeoutSeconds of 30
    return Split
  },
  () => {
    const Split = lambda(split, {}, { timeoutSeconds: 30 })
    return Split
  },
]

const Split = lambda(split, {})
const Spare = lambda(spare, {})
export const unusedFunction = [
  defineApp({
    ...frame,
    functions: { Split, Spare }, // only Split is in the definition
  }),
  defineApp({
    ...frame,
    functions: { Split },
  }),
]

const importing = workflow('import')
export const workflowNeverStarted = [
  defineApp({
    ...frame,
    functions: { Split },
    workflows: [[importing, { definition: 'import.asl.json' }]], // and no trigger
  }),
  defineApp({
    ...frame,
    functions: { Split },
    workflows: [[importing, { definition: 'import.asl.json' }]],
    triggers: { Nightly: { schedule: 'rate(1 day)', starts: importing } },
  }),
]

export const functionKind = [
  () => {
    const Split = http(split, {}) // "Resource": "${Split}" in the definition
    return Split
  },
  () => {
    const Split = lambda(split, {})
    return Split
  },
]

const files = bucket('files')
const save = defineTask({
  name: 'save',
  input: z.object({ key: z.string() }),
  output: z.object({}),
  errors: [],
  needs: {
    ports: { bucketName: 'where it writes' },
    permissions: [{ actions: ['s3:PutObject'], on: 'the reports' }],
  },
  run: (_input, _ports: { bucketName: string }) => ({}),
})
export const missingPermission = [
  () => {
    const Save = lambda(save, { bucketName: reference(files, 'read') }) // the task needs s3:PutObject
    return Save
  },
  () => {
    const Save = lambda(save, { bucketName: reference(files, 'write reports/*') })
    return Save
  },
]
