/** The files of an example, by their paths; `extension` is what Node takes for modules in that project. */
export function exampleApp(name: string, extension: 'ts' | 'mts'): Readonly<Record<string, string>> {
  return {
    [`stepwright.config.${extension}`]: `export { app as default } from './stepwright/app.${extension}'\n`,
    [`stepwright/app.${extension}`]: `import { defineApp } from '@stepwright/app'
import { greet, person } from './greet.${extension}'

/** Checked, run on this machine, and deployed from here. */
export const app = defineApp({
  name: '${name}',
  root: new URL('.', import.meta.url),
  functions: {
    Greet: { module: 'handlers.${extension}', export: 'handleGreet', task: greet },
  },
  workflows: {
    greeting: { definition: 'greeting.asl.json', input: person },
  },
  triggers: {
    EveryDay: { schedule: 'rate(1 day)', input: { name: 'World' }, starts: 'greeting' },
  },
})
`,
    [`stepwright/greet.${extension}`]: `import { defineBusinessError, TemporaryError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import * as z from 'zod'

/** Trying again would not help: it is caught, never retried. */
export class NobodyThere extends defineBusinessError('NobodyThere') {}

export const person = z.object({ name: z.string() })

export const greet = defineTask({
  name: 'greet',
  input: person,
  output: z.object({ greeting: z.string() }),
  errors: [NobodyThere, TemporaryError],
  run({ name }) {
    if (name.trim() === '') throw new NobodyThere('there is nobody to greet')
    return { greeting: \`Hello, \${name}!\` }
  },
})
`,
    [`stepwright/handlers.${extension}`]: `import { toLambdaHandler } from '@stepwright/task/lambda'
import { greet } from './greet.${extension}'

export const handleGreet = toLambdaHandler(greet, { ports: {} })
`,
    'stepwright/greeting.asl.json': `{
  "Comment": "Greets somebody.",
  "StartAt": "Greet",
  "TimeoutSeconds": 600,
  "States": {
    "Greet": {
      "Type": "Task",
      "Resource": "arn:aws:states:::lambda:invoke",
      "Parameters": { "FunctionName": "\${Greet}", "Payload.$": "$" },
      "TimeoutSeconds": 30,
      "OutputPath": "$.Payload",
      "Retry": [
        {
          "ErrorEquals": ["TaskTimeoutError", "UnexpectedError"],
          "IntervalSeconds": 2,
          "MaxAttempts": 1,
          "BackoffRate": 2
        },
        {
          "ErrorEquals": ["TemporaryError"],
          "IntervalSeconds": 2,
          "MaxAttempts": 3,
          "BackoffRate": 2
        },
        {
          "ErrorEquals": [
            "Lambda.ClientExecutionTimeoutException",
            "Lambda.ServiceException",
            "Lambda.AWSLambdaException",
            "Lambda.SdkClientException",
            "Lambda.TooManyRequestsException"
          ],
          "IntervalSeconds": 2,
          "MaxAttempts": 6,
          "BackoffRate": 2
        }
      ],
      "Catch": [
        {
          "ErrorEquals": ["NobodyThere", "DataValidationError", "PayloadTooLargeError"],
          "ResultPath": "$.error",
          "Next": "Refuse"
        }
      ],
      "End": true
    },
    "Refuse": { "Type": "Fail", "ErrorPath": "$.error.Error", "CausePath": "$.error.Cause" }
  }
}
`,
  }
}

/** A config for a project that has state machines already. */
export function existingConfig(definitions: readonly string[]): string {
  const workflows = definitions.map(
    definition => `    { definition: ${quoted(definition)} /* , tasks: { NameOfState: task } */ },`,
  )
  return `import { defineConfig } from '@stepwright/cli'

/** With the tasks that its states call, a state machine is checked against their errors and schemas too. */
export default defineConfig({
  workflows: [
${workflows.join('\n')}
  ],
})
`
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '/').replaceAll("'", "\\'")}'`
}
