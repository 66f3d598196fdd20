import {
  DataValidationError,
  lambdaDeathNames,
  lambdaTransientNames,
  PayloadTooLargeError,
  TaskTimeoutError,
  UnexpectedError,
} from '@stepwright/errors'
import type { TargetWorkflow } from '../discover.ts'

/** An error that a retrier or catcher may name, and what is known of it. */
export interface KnownError {
  readonly name: string
  /** In a sentence or two. */
  readonly about: string
}

interface ErrorFacts {
  readonly errorName?: string
  readonly name?: string
  readonly kind: 'business' | 'retryable'
  readonly retry?: RetryFacts | undefined
}

interface RetryFacts {
  readonly intervalSeconds: number
  readonly maxAttempts: number
  readonly backoffRate: number
}

interface TaskFacts {
  readonly name: string
  readonly errors: readonly ErrorFacts[]
  readonly routes?: Readonly<Record<string, TaskFacts>>
}

const ofEveryTask: readonly ErrorFacts[] = [
  DataValidationError,
  PayloadTooLargeError,
  TaskTimeoutError,
  UnexpectedError,
]

const ofStepFunctions: readonly KnownError[] = [
  [
    'States.ALL',
    'Any error, except States.DataLimitExceeded and States.Runtime. Stands alone, in the last one.',
  ],
  [
    'States.TaskFailed',
    "Any failure of a Task except its timeout: also the business errors, so don't retry it.",
  ],
  ['States.Timeout', 'The state took longer than TimeoutSeconds, or a heartbeat did not come in time.'],
  ['States.HeartbeatTimeout', 'A heartbeat did not come within HeartbeatSeconds.'],
  ['States.Permissions', 'The role of the state machine lacks a permission.'],
].map(([name = '', about = '']) => ({ name, about }))

const ofLambda: readonly KnownError[] = [
  ...lambdaTransientNames.map(name => ({
    name,
    about: "Lambda's own trouble, which passes: worth a retry.",
  })),
  ...lambdaDeathNames.map(name => ({
    name,
    about: 'The function died: worth a retry where it is idempotent.',
  })),
]

/** The errors that states of a workflow can meet, each once. */
export function knownErrors(workflow: TargetWorkflow | undefined): readonly KnownError[] {
  const known = new Map<string, KnownError>()
  const tasks = Object.values(workflow?.tasks ?? {}) as readonly TaskFacts[]
  const add = (facts: ErrorFacts, whose: string): void => {
    const name = facts.errorName ?? facts.name ?? ''
    if (!known.has(name)) known.set(name, { name, about: describe(facts, whose) })
  }
  const addTask = ({ name, errors, routes = {} }: TaskFacts): void => {
    for (const error of errors) add(error, `of ${name}`)
    for (const route of Object.values(routes)) addTask(route)
  }
  for (const task of tasks) addTask(task)
  for (const error of ofEveryTask) add(error, 'that any task can have')
  const names = new Set(ofLambda.map(({ name }) => name))
  return [...known.values(), ...ofStepFunctions.filter(({ name }) => !names.has(name)), ...ofLambda]
}

function describe({ kind, retry }: ErrorFacts, whose: string): string {
  if (kind === 'business') return `A business error ${whose}: caught, never retried.`
  if (retry === undefined) return `A retryable error ${whose}.`
  const { maxAttempts, intervalSeconds, backoffRate } = retry
  return `A retryable error ${whose}: ${maxAttempts} more attempts, the first after ${intervalSeconds} s, then × ${backoffRate}.`
}
