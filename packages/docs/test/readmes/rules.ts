import { defineApp } from '@stepwright/app'
import * as z from 'zod'
import { validate, writeChunk } from './src/tasks.ts'

/** The parts of declarations that the pages of the rules about apps show. */
const module = 'src/handlers.ts'
const split = { module, export: 'split', task: validate } as const
const spare = { module, export: 'spare', task: writeChunk } as const
const frame = { name: 'shop', root: new URL('.', import.meta.url) } as const

export const missingVariable = [
  defineApp({
    ...frame,
    functions: {
      Split: { ...split, settings: z.object({ DATABASE_URL: z.string() }) },
    },
  }),
  () =>
    defineApp({
      ...frame,
      database: { migratedBy: 'Split' },
      functions: {
        Split: {
          ...split,
          settings: z.object({ DATABASE_URL: z.string() }),
          environment: { DATABASE_URL: { database: 'url' } },
        },
      },
    }),
]

export const timeoutsDoNotNest = [
  defineApp({
    ...frame,
    functions: {
      Split: { ...split, timeoutSeconds: 300 }, // its state has a TimeoutSeconds of 30
    },
  }),
  defineApp({
    ...frame,
    functions: {
      Split: { ...split, timeoutSeconds: 30 },
    },
  }),
]

export const unusedFunction = [
  defineApp({
    ...frame,
    functions: { Split: split, Spare: spare }, // only Split is in the definition
  }),
  defineApp({
    ...frame,
    functions: { Split: split },
  }),
]
