import type { StateMachine } from '@stepwright/asl'
import { substituteAll, substitutionsFor } from '@stepwright/asl/expressions'
import { retryDelayMs } from '../failures/retry.ts'
import type { HistoryEvent } from '../history/event.ts'
import type { Json } from '../json.ts'
import { createComparison } from './compare-replay.ts'
import { declaredErrors, ofEveryTask, unreachedCatchers } from './declared-errors.ts'
import { hearChildren } from './hear-children.ts'
import {
  type Baseline,
  type LostResponses,
  loseResponses,
  type MatrixRun,
  type Run,
} from './lost-responses.ts'
import { createMarkedUuid } from './marked-names.ts'
import { runWorkflow } from './run-workflow.ts'
import type { RunWorkflowOptions, WorkflowRun } from './workflow-run.ts'
import type { ErrorClassLike, WorkflowTasks } from './workflow-task.ts'

/** What became of one error at one state. */
export interface MatrixCell {
  readonly state: string
  readonly error: string
  readonly kind: 'retryable' | 'business'
  readonly attempts: number
  readonly waitsSeconds: readonly number[]
  /** Where the workflow went with the error; `undefined` if nobody caught it. */
  readonly caughtBy: string | undefined
  /** Empty if the workflow honours what the class says. */
  readonly problems: readonly string[]
}

export interface ErrorMatrix {
  readonly cells: readonly MatrixCell[]
  /** What is wrong besides the cells: catchers that no declared error reaches, expectations that nothing meets. */
  readonly problems: readonly string[]
  /** The table as text. */
  readonly table: () => string
}

export interface ErrorMatrixOptions extends Omit<RunWorkflowOptions, 'tasks' | 'inject' | 'input'> {
  /** Inputs that together lead through every task. @default one empty object */
  readonly inputs?: readonly unknown[]
  /**
   * Loses the response of each task once, after it has run, under the names that Step Functions uses for that and that the
   * state retries: the second run has to leave what the first left. Needs `tasks` as a function. @default not tried
   */
  readonly lostResponses?: LostResponses
  /** Which errors have to be caught by which state: a workflow may catch an error, and go the wrong way with it. */
  readonly caughtBy?: readonly ExpectedCatch[]
  /** Whether a retryable error that outlasts its retries must be caught as well. @default false, as in `checkWorkflow` */
  readonly catchExhausted?: boolean
}

/** Where an error has to lead. */
export interface ExpectedCatch {
  readonly error: ErrorClassLike
  /** The state whose task raises it. @default every state */
  readonly state?: string
  /** The state that the catcher leads to. */
  readonly by: string
}

/** The workflow and its errors disagree; the message holds every cell that does. */
export class ErrorMatrixError extends Error {
  override readonly name = 'ErrorMatrixError'
  readonly matrix: ErrorMatrix
  constructor(matrix: ErrorMatrix) {
    const problems = matrix.cells.flatMap(cell =>
      cell.problems.map(problem => `${cell.state} × ${cell.error}: ${problem}`),
    )
    const all = [...problems, ...matrix.problems].join('\n  ')
    super(`the workflow does not do what its errors say:\n  ${all}\n\n${matrix.table()}`)
    this.matrix = matrix
  }
}

/**
 * Meets every task with every error that it declares, in virtual time. Retryable errors have to be retried exactly as
 * their class says and to be got over; business errors have to be caught without a retry.
 * @throws ErrorMatrixError where they are not
 * @throws TypeError where the test itself proves nothing: no task declares an error, or one cannot run as it is given
 */
export async function errorMatrix(
  definition: StateMachine,
  given: WorkflowTasks | (() => WorkflowTasks),
  options: ErrorMatrixOptions = {},
): Promise<ErrorMatrix> {
  const { inputs = [{}], catchExhausted = false, caughtBy = [], lostResponses, ...runOptions } = options
  const createTasks = typeof given === 'function' ? given : () => given
  if (lostResponses !== undefined && typeof given !== 'function')
    throw new TypeError(
      "errorMatrix: 'lostResponses' needs 'tasks' as a function that makes them with new ports, so that runs can be compared",
    )
  // Of runs that share their ports each is an execution of its own.
  const uuid = createMarkedUuid()
  const run: Run = async (input, inject = []) => {
    const { mapRuns, children } = hearChildren(options.engine?.mapRuns)
    const engine = { uuid, ...options.engine, mapRuns }
    const ended = await runWorkflow(definition, {
      ...runOptions,
      engine,
      tasks: createTasks(),
      input,
      inject,
    })
    return { ...ended, children }
  }
  const tasks = createTasks()
  const baselines: Baseline[] = []
  for (const input of inputs) {
    const baseline = await run(input)
    refuseBrokenTask(baseline)
    baselines.push({ input, run: baseline })
  }

  const cells: MatrixCell[] = []
  const substitutions = substitutionsFor(Object.keys(tasks), options.substitutions)
  const substituted = substituteAll(definition as unknown as Json, substitutions) as unknown as StateMachine
  for (const [state, errors] of declaredErrors(substituted, tasks)) {
    const baseline = baselines.find(({ run: { calls } }) => calls.some(call => call.state === state))
    for (const error of [...errors, ...commonAmong(caughtBy, state, errors)]) {
      if (baseline === undefined) cells.push(unreached(state, error))
      else cells.push(await meet(run, baseline, state, error, { catchExhausted, caughtBy }))
    }
  }
  if (cells.length === 0) {
    throw new TypeError(
      "errorMatrix met no error: 'tasks' must name the tasks, by state or function, and they must declare errors",
    )
  }
  if (lostResponses !== undefined)
    for (const baseline of baselines)
      cells.push(...(await loseResponses(run, baseline, createComparison(definition), lostResponses)))
  const problems = [...unmetCatches(caughtBy, cells), ...unreachedCatchers(substituted, cells, tasks)]
  const matrix: ErrorMatrix = { cells, problems, table: () => renderTable(cells) }
  if (problems.length > 0 || cells.some(cell => cell.problems.length > 0)) throw new ErrorMatrixError(matrix)
  return matrix
}

/** A task that fails by itself, before anything is injected, would make every cell pass for the wrong reason. */
function refuseBrokenTask({ history }: WorkflowRun): void {
  for (const event of history) {
    const details = event.taskFailedEventDetails ?? event.lambdaFunctionFailedEventDetails
    const error = details?.['error']
    if (error !== 'UnexpectedError' && error !== 'TaskNotProvidedError') continue
    throw new TypeError(
      `errorMatrix: a task failed with ${error} before any error was injected; give it its ports with bind(task, ports). ${String(details?.['cause'] ?? '')}`,
    )
  }
}

async function meet(
  run: Run,
  baseline: Baseline,
  state: string,
  error: ErrorClassLike,
  { catchExhausted, caughtBy: expected }: Required<Pick<ErrorMatrixOptions, 'catchExhausted' | 'caughtBy'>>,
): Promise<MatrixCell> {
  const always = await run(baseline.input, [{ state, error }])
  const attempts = always.attempts(state)
  const waitsSeconds = always.waitsSeconds(state)
  const caughtBy = findCatch(always, state)
  const problems: string[] = []
  if (error.kind === 'business') {
    if (attempts > 1) problems.push(`tried ${attempts} times: a business error must not be retried`)
    if (caughtBy === undefined) problems.push('not caught: it fails the execution under its own name')
  } else {
    problems.push(...compareRetries(error, attempts, waitsSeconds))
    if (catchExhausted && caughtBy === undefined) problems.push('not caught once its retries are used up')
    if ((error.retry?.maxAttempts ?? 0) > 0) {
      const once = await run(baseline.input, [{ state, error, attempts: [1] }])
      if (once.status !== baseline.run.status) {
        problems.push(`met once, it ends the execution as ${once.status} instead of ${baseline.run.status}`)
      }
    }
  }
  const meant = expected.find(each => isAbout(each, state, error.errorName))?.by
  if (meant !== undefined && meant !== caughtBy)
    problems.push(`it leads to ${caughtBy ?? 'nothing'}: it has to lead to ${meant}`)
  return { state, error: error.errorName, kind: error.kind, attempts, waitsSeconds, caughtBy, problems }
}

function isAbout({ error, state }: ExpectedCatch, raisedAt: string, name: string): boolean {
  return error.errorName === name && (state === undefined || state === raisedAt)
}

/** Errors that no task has to declare are met where the test says where they lead, such as DataValidationError. */
function commonAmong(
  expected: readonly ExpectedCatch[],
  state: string,
  declared: readonly ErrorClassLike[],
): readonly ErrorClassLike[] {
  const known = new Set(declared.map(({ errorName }) => errorName))
  return expected
    .filter(each => ofEveryTask.includes(each.error.errorName) && isAbout(each, state, each.error.errorName))
    .map(({ error }) => error)
    .filter(({ errorName }) => !known.has(errorName))
}

/** An expectation that no task meets proves nothing. */
function unmetCatches(expected: readonly ExpectedCatch[], cells: readonly MatrixCell[]): readonly string[] {
  return expected
    .filter(each => !cells.some(cell => isAbout(each, cell.state, cell.error)))
    .map(({ error, state }) => `caughtBy: no task ${state ? `of ${state} ` : ''}declares ${error.errorName}`)
}

function compareRetries(error: ErrorClassLike, attempts: number, waits: readonly number[]): string[] {
  const retries = error.retry?.maxAttempts ?? 0
  if (attempts !== retries + 1) return [`tried ${attempts} times: its class says ${retries + 1}`]
  const expected = waits.map((_, retry) => expectedWait(error, retry))
  const isSame = waits.every((wait, retry) => Math.abs(wait - (expected[retry] ?? 0)) < 0.001)
  return isSame ? [] : [`waited ${seconds(waits)}: its class says ${seconds(expected)}`]
}

function expectedWait({ retry }: ErrorClassLike, index: number): number {
  if (retry === undefined) return 0
  const retrier = {
    ErrorEquals: [],
    IntervalSeconds: retry.intervalSeconds,
    BackoffRate: retry.backoffRate,
    ...(retry.maxDelaySeconds === undefined ? {} : { MaxDelaySeconds: retry.maxDelaySeconds }),
    ...(retry.jitter === undefined ? {} : { JitterStrategy: retry.jitter }),
  }
  return retryDelayMs(retrier, index, () => 0.5) / 1000
}

function seconds(waits: readonly number[]): string {
  return waits.map(wait => `${wait} s`).join(', ') || 'not at all'
}

/** Where the error led: in a child of a Distributed Map, whose history is its own, or in the execution itself. */
function findCatch({ history, children }: MatrixRun, state: string): string | undefined {
  const own = children.find(child => child.some(event => enteredName(event) === state))
  return (own && enteredAfterFailure(own, state)) ?? enteredAfterFailure(history, state)
}

/** The state that was entered next after the last call of the failing one. */
function enteredAfterFailure(history: readonly HistoryEvent[], state: string): string | undefined {
  const lastFailure = history.findLastIndex(
    event => /(Failed|TimedOut)$/.test(event.type) && !/^(Execution|Map|Parallel)/.test(event.type),
  )
  return history
    .slice(lastFailure + 1)
    .map(enteredName)
    .find(name => name !== undefined && name !== state)
}

function enteredName({ stateEnteredEventDetails }: HistoryEvent): string | undefined {
  return stateEnteredEventDetails?.['name'] as string | undefined
}

function unreached(state: string, error: ErrorClassLike): MatrixCell {
  return {
    state,
    error: error.errorName,
    kind: error.kind,
    attempts: 0,
    waitsSeconds: [],
    caughtBy: undefined,
    problems: ["none of the inputs leads to this state: add one to 'inputs'"],
  }
}

function renderTable(cells: readonly MatrixCell[]): string {
  const rows = [
    ['state', 'error', 'kind', 'attempts', 'waits', 'caught by', ''],
    ...cells.map(cell => [
      cell.state,
      cell.error,
      cell.kind,
      String(cell.attempts),
      seconds(cell.waitsSeconds),
      cell.caughtBy ?? '–',
      cell.problems.length === 0 ? 'ok' : 'PROBLEM',
    ]),
  ]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0))) ?? []
  return rows
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
