import { defineConfig } from '@stepwright/cli'
import { toJSONSchema } from 'zod'
import { localCloud } from './src/local.ts'
import { importTasks, sendTasks } from './src/tasks.ts'

const text = { type: 'string' }
const run = { campaign_id: text, revision: { type: 'integer' } }

export const config = defineConfig({
  toJsonSchema: (schema, io) => toJSONSchema(schema as never, { io }) as Record<string, unknown>,
  workflows: [
    {
      definition: 'import.asl.json',
      tasks: importTasks,
      input: {
        type: 'object',
        properties: { ...run, s3_key: text },
        required: ['campaign_id', 'revision', 's3_key'],
      },
      catchExhausted: false,
    },
    {
      definition: 'send.asl.json',
      tasks: sendTasks,
      input: {
        type: 'object',
        properties: { ...run, scheduled_at: text },
        required: ['campaign_id', 'revision', 'scheduled_at'],
      },
      catchExhausted: false,
    },
  ],
  cloud: localCloud,
})
