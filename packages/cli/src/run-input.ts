import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { App } from '@stepwright/app'
import { assertWorkflowInput, exampleWorkflowInput } from '@stepwright/app/workflow-input'
import { DataValidationError } from '@stepwright/errors'
import { type Io, UsageError } from './io.ts'
import { isInline } from './read-definition.ts'

/** Reads the input of an execution: a file, `-` for standard input, or the JSON itself. @throws UsageError that says what is wrong */
export async function readInput(file: string | undefined, cwd: string): Promise<string> {
  if (file === undefined) return '{}'
  const input = isInline(file)
    ? file
    : file === '-'
      ? await text(process.stdin)
      : await readText(resolve(cwd, file))
  try {
    JSON.parse(input)
  } catch (error) {
    throw new UsageError(`The input must be JSON: ${(error as Error).message}`, { cause: error })
  }
  return input
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`The input cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

/** Before anything is started. @throws UsageError that names the fields which the workflow's schema refuses */
export async function refuseInput(app: App, workflow: string, input: string): Promise<void> {
  try {
    await assertWorkflowInput(app, workflow, JSON.parse(input))
  } catch (error) {
    if (!(error instanceof DataValidationError)) throw error
    const { issues } = error.details as { readonly issues: readonly { path: string; message: string }[] }
    const lines = issues.map(({ path, message }) => `  ${path || 'the input'}: ${message}`)
    throw new UsageError(
      [
        `${error.name}: ${workflow} does not take this input.`,
        ...lines,
        `"stepwright run ${workflow} --example" prints one that it takes.`,
      ].join('\n'),
      { cause: error },
    )
  }
}

/** Prints an input that the workflow's schema takes, as far as the schema tells. */
export async function printExample(app: App, workflow: string, io: Io): Promise<void> {
  const example = exampleWorkflowInput(app, workflow)
  if (example === undefined)
    throw new UsageError(
      `${workflow} does not say what it takes: give it an input in the app's declaration, as a schema of zod or a JSON Schema.`,
    )
  io.out(`${JSON.stringify(example, null, 2)}\n`)
  await assertWorkflowInput(app, workflow, example).catch(error => {
    if (!(error instanceof DataValidationError)) throw error
    io.error(`Not all that the schema asks for can be made up: ${error.message}\n`)
  })
}
