import type { App } from '@stepwright/app'
import { assertWorkflowInput, exampleWorkflowInput } from '@stepwright/app/workflow-input'
import { DataValidationError, describeIssues, type Issue } from '@stepwright/errors'
import { ConsoleProblem } from '../problem.ts'

/** Refuses an input that the workflow's schema refuses, before anything is started. */
export async function assertInput(app: App, workflow: string, text: string): Promise<void> {
  if (app.workflows?.[workflow] === undefined)
    throw new ConsoleProblem(404, `There is no workflow ${workflow}.`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ConsoleProblem(400, `The input must be JSON: ${(error as Error).message}`)
  }
  try {
    await assertWorkflowInput(app, workflow, value)
  } catch (error) {
    if (!(error instanceof DataValidationError)) throw error
    const { issues } = error.details as { issues: readonly Issue[] }
    const said = describeIssues(issues.map(({ path, message }) => ({ path: path || 'the input', message })))
    throw new ConsoleProblem(400, `The workflow does not take this input. ${said}`)
  }
}

/** An input to begin with. */
export function exampleInput(app: App, workflow: string): string {
  return JSON.stringify(exampleWorkflowInput(app, workflow) ?? {}, null, 2)
}
