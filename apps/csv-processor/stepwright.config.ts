import { defineConfig } from '@stepwright/cli'
import { toJSONSchema, type ZodType } from 'zod'
import { csvProcessor } from './src/csv-processor.ts'
import { localCloud } from './src/local.ts'
import { objectCreated } from './src/object-created.ts'

export const config = defineConfig({
  cloud: localCloud,
  toJsonSchema: (schema, io) => toJSONSchema(schema as unknown as ZodType, { io, unrepresentable: 'any' }),
  workflows: [
    {
      definition: 'csv-parallel-processing-workflow.asl.json',
      tasks: { CsvProcessorFunctionArn: csvProcessor },
      input: objectCreated,
    },
  ],
})
