import { readFileSync } from 'node:fs'
import { TemporaryError, ValidationError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { catchFor, checkWorkflow, retryFor } from './index.ts'

const validate = defineTask({
  name: 'validate',
  input: z.object({ key: z.string() }),
  output: z.object({ rows: z.number() }),
  errors: [ValidationError, TemporaryError],
  run: ({ key }) => ({ rows: key.length }),
})

const definition = {
  StartAt: 'Validate',
  TimeoutSeconds: 900,
  States: {
    Validate: {
      Type: 'Task',
      Resource: 'arn:aws:lambda:eu-west-1:123456789012:function:validate',
      Parameters: { 'key.$': '$.key' },
      ResultPath: '$.validation',
      Retry: retryFor(validate),
      Catch: catchFor(validate, { ValidationError: 'Refused', '*': 'Failed' }),
      Next: 'Done',
    },
    Done: { Type: 'Pass', Parameters: { 'rows.$': '$.validation.rowCount' }, End: true },
    Refused: { Type: 'Fail', ErrorPath: '$.error.Error' },
    Failed: { Type: 'Fail', ErrorPath: '$.error.Error' },
  },
}

const findings = checkWorkflow(definition, { tasks: [validate] })

const example =
  /```ts\n([\s\S]*?)```/.exec(readFileSync(new URL('../README.md', import.meta.url), 'utf8'))?.[1] ?? ''

it('the example of the README prints what it says', () => {
  expect(`// ${findings[0]?.rule} ${findings[0]?.message}`).toBe(example.trimEnd().split('\n').at(-1))
  expect(findings).toHaveLength(1)
})

it('the example of the README is the code of this test', () => {
  const code = example.slice(example.indexOf('const validate'), example.indexOf('console.log')).trim()
  expect(readFileSync(new URL(import.meta.url), 'utf8')).toContain(code)
})
