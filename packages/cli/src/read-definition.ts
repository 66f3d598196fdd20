import { readFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { parseDefinition, type StateMachine } from '@stepwright/asl'
import { UsageError } from './io.ts'

/** Reads a definition. @throws UsageError that says why it cannot be read */
export async function readDefinition(path: string, cwd: string): Promise<StateMachine> {
  const file = relative(cwd, path)
  const { value, problems } = parseDefinition(await readText(path, 'definition'), { file })
  const [problem] = problems
  if (problem) throw new UsageError(`${file} cannot be read: ${problem.message}`)
  if (typeof (value as Partial<StateMachine> | null)?.States !== 'object')
    throw new UsageError(`${file} must be a state machine: an object with StartAt and States.`)
  return value as unknown as StateMachine
}

/** Reads JSON. @throws UsageError that says what is wrong with it */
export async function readJson(path: string, what: string): Promise<unknown> {
  const text = await readText(path, what)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`The ${what} must be JSON: ${(error as Error).message}`, { cause: error })
  }
}

/** The value of an option that is JSON itself, or a file with it. @throws UsageError that says what is wrong with it */
export async function readJsonOption(given: string, what: string, cwd: string): Promise<unknown> {
  if (!isInline(given)) return readJson(resolve(cwd, given), what)
  try {
    return JSON.parse(given)
  } catch (error) {
    throw new UsageError(`The ${what} must be JSON: ${(error as Error).message}`, { cause: error })
  }
}

/** Whether an option has JSON in it, and not the name of a file. */
export function isInline(given: string): boolean {
  return /^\s*[[{"]/.test(given)
}

async function readText(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new UsageError(`The ${what} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}
