import { randomUUID } from 'node:crypto'
import { type TestRunner, testRunner } from '@stepwright/task/testing'
import type { Executions } from './executions.ts'
import { createWorkflowExecutions, isAtWork } from './workflow-executions.ts'

export interface ExecutionsUnderTest {
  readonly executions: Executions
  /** A state machine whose executions run until they are stopped. */
  readonly stateMachineArn: string
}

/** The contract of `Executions`: every promise of the port, as tests. */
export function testExecutions(
  create: () => ExecutionsUnderTest | Promise<ExecutionsUnderTest>,
  runner: TestRunner = testRunner,
): void {
  const { describe, expect, it } = runner
  describe('keeps the promises of executions', () => {
    const open = async () => {
      const { executions, stateMachineArn } = await create()
      return { executions, request: { stateMachineArn, name: `job-${randomUUID()}`, input: { n: 1 } } }
    }

    it('starts an execution and describes it', async () => {
      const { executions, request } = await open()
      const { executionArn, started } = await executions.start(request)
      expect(started).toBe(true)
      const execution = await executions.describe(executionArn)
      expect(execution).toMatchObject({
        executionArn,
        name: request.name,
        status: 'RUNNING',
        input: { n: 1 },
        startedAtMs: expect.any(Number),
      })
      expect(execution).not.toHaveProperty('stoppedAtMs')
      await executions.stop({ executionArn })
    })

    it('answers a repeated start as the first, and starts nothing', async () => {
      const { executions, request } = await open()
      const first = await executions.start(request)
      expect(await executions.start(request)).toEqual(first)
      await executions.stop({ executionArn: first.executionArn })
    })

    it('starts nothing under a name that is taken, by another input or one that has ended', async () => {
      const { executions, request } = await open()
      const { executionArn } = await executions.start(request)
      const refused = { executionArn, started: false }
      expect(await executions.start({ ...request, input: { n: 2 } })).toEqual(refused)
      await executions.stop({ executionArn })
      expect(await executions.start(request)).toEqual(refused)
      expect(await executions.describe(executionArn)).toMatchObject({ status: 'ABORTED', input: { n: 1 } })
    })

    it('stops with an error and a cause, once', async () => {
      const { executions, request } = await open()
      const { executionArn } = await executions.start(request)
      const how = { error: 'Superseded', cause: 'another file came' }
      await executions.stop({ executionArn, ...how })
      await executions.stop({ executionArn, error: 'Later' })
      expect(await executions.describe(executionArn)).toMatchObject({
        status: 'ABORTED',
        stoppedAtMs: expect.any(Number),
        ...how,
      })
    })

    it('knows nothing of an execution that never was, and stops nothing', async () => {
      const { executions, request } = await open()
      const { executionArn } = await executions.start(request)
      await executions.stop({ executionArn })
      const other = executionArn.replace(request.name, `other-${randomUUID()}`)
      await executions.stop({ executionArn: other })
      expect(await executions.describe(other)).toBeUndefined()
    })

    it('starts ended work again under a name of its own, once by its number, and stops all of it', async () => {
      const { executions, request } = await open()
      const { name, input, stateMachineArn } = request
      const workflow = createWorkflowExecutions({ executions, stateMachineArn })
      const first = await workflow.start({ name, input })
      expect(isAtWork(await workflow.describe(name))).toBe(true)
      await executions.stop({ executionArn: first.executionArn })
      expect(isAtWork(await workflow.describe(name))).toBe(false)
      expect((await workflow.start({ name, input })).started).toBe(false)

      const second = await workflow.start({ name, input, restart: 1 })
      expect([second.started, second.executionArn]).toEqual([true, `${first.executionArn}-1`])
      expect(await workflow.start({ name, input, restart: 1 })).toEqual(second)
      expect(isAtWork(await workflow.describe(name, { restart: 1 }))).toBe(true)
      expect(isAtWork(await workflow.describe(name, { restart: 2 }))).toBe(false)
      await workflow.stop({ name })
      expect(isAtWork(await workflow.describe(name, { restart: 1 }))).toBe(true)
      await workflow.stop({ name, restarts: 2, error: 'Superseded' })
      const ended = await workflow.describe(name, { restart: 1 })
      expect(ended).toMatchObject({ status: 'ABORTED', error: 'Superseded', input })
    })

    it.each(['', 'has space', 'x'.repeat(81), 'slash/ed'])('refuses the name %j', async name => {
      const { executions, request } = await open()
      await expect(executions.start({ ...request, name })).rejects.toMatchObject({
        name: 'DataValidationError',
      })
    })

    it('refuses an input above 262,144 bytes', async () => {
      const { executions, request } = await open()
      await expect(executions.start({ ...request, input: 'x'.repeat(262_144) })).rejects.toMatchObject({
        name: 'PayloadTooLargeError',
      })
    })
  })
}
