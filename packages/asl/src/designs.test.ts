import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { checkWorkflow, type Finding, type PlainContract, parseDefinition } from './index.ts'

const designs = fileURLToPath(new URL('../../../../shared/designs/', import.meta.url))
const absent = !existsSync(designs)
if (absent) process.stderr.write('skipped: no design documents in ../shared/designs beside the repository\n')

function definitionIn(file: string): string {
  const blocks = [...readFileSync(`${designs}${file}`, 'utf8').matchAll(/```json\n([\s\S]*?)```/g)]
  return blocks.map(block => block[1] as string).find(block => block.includes('"StartAt"')) ?? ''
}

function business(name: string) {
  return { name, kind: 'business' } as const
}
function retryable(name: string, intervalSeconds: number) {
  return { name, kind: 'retryable', retry: { intervalSeconds, maxAttempts: 3, backoffRate: 2 } } as const
}
function object(properties: Record<string, object>) {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  }
}
const text = { type: 'string' }
const number = { type: 'number' }

function places(findings: readonly Finding[]) {
  return findings.map(({ rule, pointer }) => `${rule} ${pointer}`)
}

describe.skipIf(absent)('the mistakes in the design of the CSV workflow', () => {
  const row = object({ ユーザーID: text, ログイン回数: text, 投稿回数: text })
  const csvProcessor: PlainContract = {
    name: 'csv-processor',
    errors: [],
    routes: {
      CSV_VALIDATION: {
        name: 'validate',
        errors: [business('ValidationError')],
        output: object({
          isValid: { type: 'boolean' },
          rowCount: number,
          csvRows: { type: 'array', items: row },
        }),
      },
      CSV_CHUNK_PROCESSING: {
        name: 'process-chunk',
        errors: [
          business('BusinessError'),
          business('DataValidationError'),
          retryable('DatabaseConnectionError', 2),
          retryable('TemporaryError', 2),
        ],
      },
      AUDIT_LOGGING: { name: 'audit', errors: [] },
      RESULT_AGGREGATION: {
        name: 'aggregate',
        errors: [],
        output: object({
          successCount: number,
          errorCount: number,
          processingTimeSeconds: number,
          outputBucket: text,
          outputKey: text,
          summary: {},
        }),
      },
      ERROR_HANDLING: {
        name: 'handle-error',
        errors: [],
        output: object({ execution: object({ id: text, startTime: text }), s3: {}, error: {} }),
      },
    },
  }
  const input = object({
    detail: object({
      bucket: object({ name: text }),
      object: object({ key: text, size: number, etag: text }),
    }),
  })

  it('are all found where they are, and nothing else is', () => {
    const definition = definitionIn('csv-parallel-processing.md')
    const findings = checkWorkflow(parseDefinition(definition), {
      tasks: { 'csv-processor': csvProcessor },
      input,
    })
    const item = '/States/ProcessUserDataParallel/ItemProcessor/States'
    expect(places(findings)).toEqual([
      'limits/missing-timeout /',
      'kinds/business-retried /States/ValidateCSVFile/Retry/1/ErrorEquals',
      `flow/unknown-context ${item}/ProcessSingleUserRecord/Parameters/executionId.$`,
      `flow/unknown-context ${item}/ProcessSingleUserRecord/Parameters/itemIndex.$`,
      `kinds/business-retried ${item}/ProcessSingleUserRecord/Retry/1/ErrorEquals`,
      `flow/unknown-context ${item}/RecordSuccess/Parameters/executionId.$`,
      `flow/unknown-context ${item}/RecordSuccess/Parameters/itemIndex.$`,
      `routes/handler-without-retry ${item}/RecordProcessingError`,
      `flow/unknown-context ${item}/RecordProcessingError/Parameters/executionId.$`,
      `flow/unknown-context ${item}/RecordProcessingError/Parameters/itemIndex.$`,
      `routes/handler-without-retry ${item}/RecordSystemError`,
      `flow/unknown-context ${item}/RecordSystemError/Parameters/executionId.$`,
      `flow/unknown-context ${item}/RecordSystemError/Parameters/itemIndex.$`,
      'limits/rows-in-payload /States/ProcessUserDataParallel/ItemsPath',
      'limits/map-results /States/ProcessUserDataParallel/ResultPath',
      'routes/handler-without-retry /States/ValidationFailure',
      'flow/sometimes-missing /States/ValidationFailure/Parameters/error.$',
      'routes/handler-without-retry /States/MapProcessingFailure',
      'routes/handler-without-retry /States/SystemFailure',
      'routes/failure-succeeds /States/FailureComplete/End',
    ])
    const lines = definition.split('\n')
    const excerpt = (rule: string): string => {
      const finding = findings.find(each => each.rule === rule)
      return (lines[(finding?.line ?? 0) - 1] ?? '').slice((finding?.column ?? 0) - 1).trim()
    }
    expect(excerpt('kinds/business-retried')).toBe('["States.TaskFailed"],')
    expect(excerpt('flow/sometimes-missing')).toBe('"$.error",')
    expect(excerpt('flow/unknown-context')).toBe('"$$.Map.Item.Context.ExecutionName",')
    expect(excerpt('limits/rows-in-payload')).toBe('"$.validation.csvRows",')
    expect(findings.find(each => each.rule === 'flow/sometimes-missing')?.message).toContain(
      'the default of "CheckValidationResult"',
    )
  })
})

describe.skipIf(absent)('the mistakes in the design of asynchronous generation', () => {
  const tasks = {
    UpdateProcessingState: {
      name: 'update-state',
      errors: [retryable('DatabaseConnectionError', 1)],
      output: object({ processId: text, type: text, params: {} }),
    },
    AIGenerationWorker: {
      name: 'generate',
      errors: [
        'ThrottlingException',
        'ServiceUnavailableException',
        'DatabaseConnectionError',
        'NetworkError',
      ].map(name => retryable(name, 1)),
      output: object({ processId: text, result: {} }),
    },
  }
  const input = object({ processId: text, type: text, params: {} })

  it('are all found where they are, and nothing else is', () => {
    const source = parseDefinition(definitionIn('async-generation.md'))
    expect(places(checkWorkflow(source, { tasks, input, catchExhausted: true }))).toEqual([
      'limits/missing-timeout /',
      'kinds/retryable-not-retried /States/UpdateStatusToProcessing',
      'routes/lambda-transient /States/UpdateStatusToProcessing',
      'flow/catcher-drops-input /States/UpdateStatusToProcessing/Catch/0',
      'kinds/retryable-not-retried /States/ExecuteAIGeneration',
      'routes/lambda-transient /States/ExecuteAIGeneration',
      'limits/heartbeat-never-sent /States/ExecuteAIGeneration/HeartbeatSeconds',
      'flow/catcher-drops-input /States/ExecuteAIGeneration/Catch/0',
      'flow/catcher-drops-input /States/ExecuteAIGeneration/Catch/1',
      'kinds/retryable-not-retried /States/UpdateStatusToCompleted',
      'routes/lambda-transient /States/UpdateStatusToCompleted',
      'routes/uncaught /States/UpdateStatusToCompleted',
      'kinds/retryable-not-retried /States/HandleTimeout',
      'routes/handler-without-retry /States/HandleTimeout',
      'routes/failure-succeeds /States/HandleTimeout/End',
      'kinds/retryable-not-retried /States/HandleError',
      'routes/handler-without-retry /States/HandleError',
      'flow/missing-path /States/HandleError/Parameters/error.$',
      'routes/failure-succeeds /States/HandleError/End',
    ])
  })
})
