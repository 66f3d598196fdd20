import type { StateMachine } from '@stepwright/asl'
import {
  DatabaseConnectionError,
  DataValidationError,
  ForbiddenError,
  ValidationError,
} from '@stepwright/errors'
import { defineTask, describeTask } from '@stepwright/task'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ofEveryTask } from './declared-errors.ts'
import { bind, ErrorMatrixError, errorMatrix, runWorkflow } from './index.ts'

interface Orders {
  readonly save: (id: string) => Promise<void>
}

const saveOrder = defineTask({
  name: 'save-order',
  input: z.object({ id: z.string() }),
  output: z.object({ saved: z.string() }),
  errors: [DatabaseConnectionError, ValidationError],
  run: async ({ id }, ports: { readonly orders: Orders }) => {
    if (id === '') throw new ValidationError('an order needs an id')
    await ports.orders.save(id)
    return { saved: id }
  },
})

const retry = DatabaseConnectionError.retry
const definition: StateMachine = {
  StartAt: 'Save',
  States: {
    Save: {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Parameters: { FunctionName: 'save-order', 'Payload.$': '$' },
      ResultSelector: { 'saved.$': '$.Payload.saved' },
      Retry: [
        {
          ErrorEquals: ['DatabaseConnectionError'],
          IntervalSeconds: retry.intervalSeconds,
          MaxAttempts: retry.maxAttempts,
          BackoffRate: retry.backoffRate,
        },
      ],
      Catch: [{ ErrorEquals: ['ValidationError'], ResultPath: '$.error', Next: 'Refused' }],
      End: true,
    },
    Refused: { Type: 'Fail', ErrorPath: '$.error.Error', CausePath: '$.error.Cause' },
  },
}

function memoryOrders() {
  const saved: string[] = []
  return { saved, save: async (id: string) => void saved.push(id) }
}

describe('runWorkflow', () => {
  it('runs the real task on memory ports', async () => {
    const orders = memoryOrders()
    const run = await runWorkflow(definition, {
      tasks: { 'save-order': bind(saveOrder, { orders }) },
      input: { id: 'o1' },
    })
    expect(run).toMatchObject({
      status: 'SUCCEEDED',
      output: { saved: 'o1' },
      path: ['Save'],
      elapsedSeconds: 0,
    })
    expect(orders.saved).toEqual(['o1'])
  })

  it('reports a business error under its own name and path', async () => {
    const run = await runWorkflow(definition, {
      tasks: { Save: bind(saveOrder, { orders: memoryOrders() }) },
      input: { id: '' },
    })
    expect(run).toMatchObject({ status: 'FAILED', error: 'ValidationError', path: ['Save', 'Refused'] })
    expect(run.attempts('Save')).toBe(1)
  })

  it('injects an error at chosen attempts, and says how long the retries took', async () => {
    const orders = memoryOrders()
    const run = await runWorkflow(definition, {
      tasks: { Save: bind(saveOrder, { orders }) },
      input: { id: 'o1' },
      inject: [{ state: 'Save', attempts: [1, 2], error: DatabaseConnectionError }],
    })
    expect(run.status).toBe('SUCCEEDED')
    expect(run.attempts('Save')).toBe(3)
    expect(run.waitsSeconds('Save')).toEqual([
      retry.intervalSeconds,
      retry.intervalSeconds * retry.backoffRate,
    ])
    expect(orders.saved).toEqual(['o1'])
  })

  it('injects what only Step Functions raises', async () => {
    const run = await runWorkflow(definition, {
      tasks: { Save: () => 'never asked' },
      inject: [{ state: 'Save', error: 'States.Timeout' }],
    })
    expect(run).toMatchObject({ status: 'FAILED', error: 'States.Timeout' })
  })

  it('says which task is missing', async () => {
    const run = await runWorkflow(definition, { tasks: {}, input: { id: 'o1' } })
    expect(run.error).toBe('TaskNotProvidedError')
    expect(run.cause).toContain("state 'Save' calls arn:aws:lambda")
  })

  it('fills in substitutions', async () => {
    const text = JSON.stringify(definition).replace('"save-order"', `"$\{SaveOrder}"`)
    const run = await runWorkflow(JSON.parse(text), {
      tasks: { saver: () => ({ saved: 'x' }) },
      substitutions: { SaveOrder: 'saver' },
    })
    expect(run.output).toEqual({ saved: 'x' })
  })
})

describe('errorMatrix', () => {
  const tasks = { Save: bind(saveOrder, { orders: memoryOrders() }) }
  const inputs = [{ id: 'o1' }]

  it('passes a workflow that does what its errors say', async () => {
    const matrix = await errorMatrix(definition, tasks, { inputs })
    expect(matrix.cells.map(({ error, attempts, caughtBy }) => [error, attempts, caughtBy])).toEqual([
      ['DatabaseConnectionError', retry.maxAttempts + 1, undefined],
      ['ValidationError', 1, 'Refused'],
    ])
    expect(matrix.table()).toContain('Save   ValidationError')
  })

  it('knows a task by the placeholder of its function, whatever the state is called', async () => {
    const { Save, ...others } = definition.States
    const called = {
      ...Save,
      Resource: 'arn:aws:states:::lambda:invoke',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of the definition
      Parameters: { FunctionName: '${SaveOrder}', 'Payload.$': '$' },
    }
    const renamed = { StartAt: 'Keep', States: { Keep: called, ...others } } as unknown as StateMachine
    const matrix = await errorMatrix(renamed, { SaveOrder: tasks.Save }, { inputs })
    expect(matrix.cells.map(({ state }) => state)).toEqual(['Keep', 'Keep'])
  })

  const problemsOf = async (state: object, more: object = {}) => {
    const changed = {
      ...definition,
      States: { ...definition.States, Save: { ...definition.States['Save'], ...state } },
    }
    const error = await errorMatrix(changed as unknown as StateMachine, tasks, { inputs, ...more }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (error === undefined) return []
    expect(error).toBeInstanceOf(ErrorMatrixError)
    return (error as ErrorMatrixError).matrix.cells.flatMap(cell => cell.problems)
  }

  it('finds a business error that is retried', async () => {
    expect(await problemsOf({ Retry: [{ ErrorEquals: ['States.TaskFailed'], ...toRetrier() }] })).toEqual([
      expect.stringContaining('a business error must not be retried'),
    ])
  })

  it('finds a business error that nobody catches', async () => {
    expect(await problemsOf({ Catch: [] })).toEqual([expect.stringContaining('not caught')])
  })

  it('finds a retrier that never fires', async () => {
    expect(await problemsOf({ Retry: [{ ErrorEquals: ['DatabaseConectionError'] }] })).toEqual([
      expect.stringContaining('tried 1 times'),
      expect.stringContaining('met once, it ends the execution as FAILED'),
    ])
  })

  it('finds a retrier that waits otherwise than its class says', async () => {
    const other = { ...toRetrier(), IntervalSeconds: retry.intervalSeconds + 1 }
    expect(await problemsOf({ Retry: [{ ErrorEquals: ['DatabaseConnectionError'], ...other }] })).toEqual([
      expect.stringContaining('waited'),
    ])
  })

  it('can ask that used-up retries be caught too', async () => {
    expect(await problemsOf({}, { catchExhausted: true })).toEqual([
      expect.stringContaining('not caught once'),
    ])
  })

  it('refuses tasks of which none declares an error', async () => {
    await expect(errorMatrix(definition, { Save: () => ({ saved: 'o1' }) }, { inputs })).rejects.toThrow(
      /met no error/,
    )
    await expect(errorMatrix({ ...definition, StartAt: 'Refused' }, {}, { inputs })).rejects.toThrow(
      /met no error/,
    )
  })

  it('refuses a task that lacks its ports, instead of passing for the wrong reason', async () => {
    await expect(errorMatrix(definition, { Save: saveOrder as never }, { inputs })).rejects.toThrow(
      /failed with UnexpectedError before any error was injected; give it its ports/,
    )
  })

  it('says when no input leads to a state', async () => {
    const detour = { ...definition, StartAt: 'Refused' }
    await expect(errorMatrix(detour, tasks, { inputs })).rejects.toThrow(
      /none of the inputs leads to this state/,
    )
  })

  it('knows a state inside a Map, caught around it', async () => {
    const {
      End: _end,
      Catch: _catch,
      ...inner
    } = definition.States['Save'] as unknown as Record<string, unknown>
    const mapped = {
      StartAt: 'Each',
      States: {
        Each: {
          Type: 'Map',
          ItemProcessor: { StartAt: 'Save', States: { Save: { ...inner, End: true } } },
          Catch: [{ ErrorEquals: ['ValidationError'], ResultPath: '$[0].error', Next: 'Refused' }],
          End: true,
        },
        Refused: { Type: 'Fail', Error: 'Refused' },
      },
    } as unknown as StateMachine
    const matrix = await errorMatrix(mapped, tasks, { inputs: [[{ id: 'a' }, { id: 'b' }]] })
    expect(matrix.cells.map(cell => cell.caughtBy)).toEqual([undefined, 'Refused'])
  })

  const toRetrier = () => ({
    IntervalSeconds: retry.intervalSeconds,
    MaxAttempts: retry.maxAttempts,
    BackoffRate: retry.backoffRate,
  })
})

describe('errorMatrix and catchers', () => {
  const both = defineTask({
    name: 'both',
    input: z.object({ id: z.string() }),
    output: z.null(),
    errors: [ValidationError, ForbiddenError],
    run: async () => null,
  })
  const caught = (ErrorEquals: readonly string[], Next: string) => ({ ErrorEquals, ResultPath: null, Next })
  const ends = {
    Refused: { Type: 'Fail', Error: 'Refused' },
    Denied: { Type: 'Fail', Error: 'Denied' },
  }
  const task = { Type: 'Task', Resource: 'arn:aws:lambda:us-east-1:123456789012:function:both', End: true }
  const plain = (Catch: readonly object[]) =>
    ({ StartAt: 'Both', States: { Both: { ...task, Catch }, ...ends } }) as unknown as StateMachine
  const mapped = (Catch: readonly object[], inner: object = task) =>
    ({
      StartAt: 'Each',
      States: {
        Each: {
          Type: 'Map',
          ItemsPath: '$.ids',
          ItemProcessor: { StartAt: 'Both', States: { Both: inner } },
          Catch,
          End: true,
        },
        ...ends,
      },
    }) as unknown as StateMachine
  const right = [caught(['ValidationError'], 'Refused'), caught(['ForbiddenError'], 'Denied')]
  const swapped = [caught(['ValidationError'], 'Denied'), caught(['ForbiddenError'], 'Refused')]
  const caughtBy = [
    { error: ValidationError, by: 'Refused' },
    { error: ForbiddenError, state: 'Both', by: 'Denied' },
  ]
  const matrixOf = (machine: StateMachine, more: object = {}) =>
    errorMatrix(machine, { Both: both }, { inputs: [{ id: 'a', ids: [{ id: 'a' }] }], ...more })

  it.each([
    ['a Task', plain],
    ['a Map', mapped],
  ])('finds swapped targets at %s, where the test says which error leads where', async (_where, machine) => {
    expect((await matrixOf(machine(right), { caughtBy })).problems).toEqual([])
    await expect(matrixOf(machine(swapped), { caughtBy })).rejects.toThrow(
      'Both × ValidationError: it leads to Denied: it has to lead to Refused',
    )
  })

  it.each([
    ['a Task', plain, 'Both'],
    ['a Map', mapped, 'Each'],
  ])('finds a misspelt name in a catcher of %s that others hide', async (_where, machine, state) => {
    const typo = [caught(['ValidatonError'], 'Refused'), caught(['States.ALL'], 'Denied')]
    await expect(matrixOf(machine(typo))).rejects.toThrow(
      `${state}: no task that it calls leads ValidatonError to catcher 1 (Refused)`,
    )
  })

  it('sees which catcher takes an error in a child of a Distributed Map', async () => {
    const machineWith = (Catch: readonly object[]) => {
      const machine = JSON.parse(JSON.stringify(mapped([])))
      delete machine.States.Each.Catch
      const { Refused, Denied } = ends
      machine.States.Each.ItemProcessor.ProcessorConfig = { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' }
      machine.States.Each.ItemProcessor.States = { Both: { ...task, Catch }, Refused, Denied }
      machine.States = { Each: { ...machine.States.Each, ToleratedFailurePercentage: 100 } }
      return machine as StateMachine
    }
    const matrix = await matrixOf(machineWith(right), { caughtBy })
    expect(matrix.cells.map(cell => cell.caughtBy)).toEqual(['Refused', 'Denied'])
    await expect(matrixOf(machineWith(swapped), { caughtBy })).rejects.toThrow('it has to lead to Refused')
    const typo = [...right, caught(['Forbiden'], 'Refused')]
    await expect(matrixOf(machineWith(typo))).rejects.toThrow('leads Forbiden to catcher 3 (Refused)')
  })

  it('finds a catcher that is never reached, because one inside takes the error', async () => {
    const inner = { ...task, Catch: [caught(['States.ALL'], 'Inside')], Next: 'Inside', End: undefined }
    const machine = JSON.parse(JSON.stringify(mapped(right, inner)))
    machine.States.Each.ItemProcessor.States.Inside = { Type: 'Pass', End: true }
    await expect(matrixOf(machine)).rejects.toThrow('leads ForbiddenError to catcher 2 (Denied)')
  })

  it('takes errors of every task, of Step Functions, and of Fail states inside for what they are', async () => {
    const more = [...right, caught(['UnexpectedError', 'States.Timeout', 'Own'], 'Refused')]
    const own = { Type: 'Fail', Error: 'Own' }
    const machine = JSON.parse(JSON.stringify(mapped(more)))
    machine.States.Each.ItemProcessor.States.Own = own
    expect((await matrixOf(machine)).problems).toEqual([])
    const announced = defineTask({
      name: 'x',
      input: z.null(),
      output: z.null(),
      errors: [],
      run: async () => null,
    })
    expect([...ofEveryTask].sort()).toEqual(
      describeTask(announced)
        .errors.map(({ name }) => name)
        .sort(),
    )
  })

  it('meets errors that no task declares, where the test says where they lead', async () => {
    const rest = caught(['States.ALL'], 'Denied')
    const badInput = { error: DataValidationError, by: 'Denied' }
    const matrix = await matrixOf(plain([...right, rest]), { caughtBy: [...caughtBy, badInput] })
    expect(matrix.cells.map(({ error }) => error)).toContain('DataValidationError')
    const wrong = plain([...right, { ...rest, Next: 'Refused' }])
    await expect(matrixOf(wrong, { caughtBy: [badInput] })).rejects.toThrow(
      'Both × DataValidationError: it leads to Refused: it has to lead to Denied',
    )
  })

  it('refuses an expectation that no task can meet', async () => {
    const machine = plain([...right])
    const unmet = [{ error: DatabaseConnectionError, by: 'Refused' }]
    await expect(matrixOf(machine, { caughtBy: unmet })).rejects.toThrow(
      'caughtBy: no task declares DatabaseConnectionError',
    )
  })

  it('says nothing of catchers around a function that stands in for a task', async () => {
    const machine = mapped([...right, caught(['Whatever'], 'Refused')], {
      ...task,
      Next: 'Other',
      End: undefined,
    })
    const other = JSON.parse(JSON.stringify(machine))
    other.States.Each.ItemProcessor.States.Other = { ...task, Resource: `${task.Resource}-other` }
    const matrix = await errorMatrix(
      other,
      { Both: both, Other: () => null },
      { inputs: [{ ids: [{ id: 'a' }] }] },
    )
    expect(matrix.problems).toEqual([])
  })
})
