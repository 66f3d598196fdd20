import { defineConfig } from '@stepwright/cli'
import { toJSONSchema, type ZodType } from 'zod'
import { csvProcessor } from './src/csv-processor.ts'
import { localCloud } from './src/local.ts'
import { objectCreated } from './src/object-created.ts'

/** Both figures are the design's. */
const reason = 'the limit of the whole, 600 s, is meant to cut retries of slow states short'

export const config = defineConfig({
  cloud: localCloud,
  toJsonSchema: (schema, io) => toJSONSchema(schema as unknown as ZodType, { io, unrepresentable: 'any' }),
  workflows: [
    {
      definition: 'csv-parallel-processing-workflow.asl.json',
      tasks: { CsvProcessorFunctionArn: csvProcessor },
      input: objectCreated,
      accept: [
        { rule: 'limits/retry-exceeds-timeout', pointer: '/States/ValidateCSVFile/Retry/0', reason },
        { rule: 'limits/retry-exceeds-timeout', pointer: '/States/AggregateResults/Retry/1', reason },
      ],
    },
  ],
})
